// Guarded setmetatable and getmetatable. Lua 5.4.4 is not memory-safe with weak tables under a memory limit, and
// finalizers run where no hook can stop them. A metatable is therefore copied when it is set: later writes of a script
// to its own table have no effect on the collector.
#include <string.h>

#include "vm.h"

static const char *const allowed[] = {
    "__index", "__newindex", "__call", "__tostring", "__name", "__len", "__eq", "__lt", "__le",
    "__concat", "__unm", "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__idiv",
    "__band", "__bor", "__bxor", "__bnot", "__shl", "__shr", "__pairs", "__metatable", NULL};
static const char *const refused[] = {"__gc", "__mode", "__close", NULL};

static bool is_protected(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  lua_pushliteral(L, "__metatable");
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

static int guarded_setmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  int kind = lua_type(L, 2);
  luaL_argexpected(L, kind == LUA_TNIL || kind == LUA_TTABLE, 2, "nil or table");
  lua_settop(L, 2);
  if (is_protected(L, 1)) return luaL_error(L, "cannot change a protected metatable");
  if (kind == LUA_TTABLE) {
    for (const char *const *name = refused; *name; name++) {
      lua_pushstring(L, *name);
      if (lua_rawget(L, 2) != LUA_TNIL)
        return luaL_error(L, "a metatable may not have %s here", *name);
      lua_pop(L, 1);
    }
    lua_createtable(L, 0, 4);
    for (const char *const *name = allowed; *name; name++) {
      lua_pushstring(L, *name);
      if (lua_rawget(L, 2) == LUA_TNIL) {
        lua_pop(L, 1);
        continue;
      }
      // A chain of values that call each other has quadratic cost before the first instruction.
      if (strcmp(*name, "__call") == 0 && !lua_isfunction(L, -1))
        return luaL_error(L, "__call is a function here");
      lua_pushstring(L, *name);
      lua_insert(L, -2);
      lua_rawset(L, 3);
    }
    lua_pushvalue(L, 2);
    lua_rawsetp(L, 3, &ls_key_metatable);
  }
  lua_setmetatable(L, 1);
  lua_settop(L, 1);
  return 1;
}

// Returns the script's own table, never ours. Metatables of the host stay hidden.
static int guarded_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (!lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushliteral(L, "__metatable");
  if (lua_rawget(L, -2) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  if (lua_rawgetp(L, -1, &ls_key_metatable) == LUA_TNIL) lua_pushboolean(L, 0);
  return 1;
}

// A sealed table cannot be written: a raw write would hide the value that the seal shows.
static int guarded_rawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (lua_getmetatable(L, 1)) {
    if (lua_rawgetp(L, -1, &ls_key_sealed) != LUA_TNIL)
      return luaL_error(L, "this table cannot be changed here");
    lua_settop(L, 3);
  }
  lua_rawset(L, 1);
  return 1;
}

void ls_install_metatables(lua_State *L) {
  lua_pushcfunction(L, guarded_rawset);
  lua_setfield(L, -2, "rawset");
  lua_pushcfunction(L, guarded_setmetatable);
  lua_setfield(L, -2, "setmetatable");
  lua_pushcfunction(L, guarded_getmetatable);
  lua_setfield(L, -2, "getmetatable");
}
