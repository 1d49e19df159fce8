// Names that do not exist. Reading one is an error that suggests the nearest name. Otherwise a misspelled variable
// would be nil, and a nil field of a table is no field at all.
#include "vm.h"

const char ls_key_declared = 0, ls_key_explain = 0, ls_key_strict_libraries = 0;

// Adds the names that the table at `table` has to the list on top.
static void list_keys(lua_State *L, int table) {
  int list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table);) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
  }
}

static void list_name(lua_State *L, int list, const char *name) {
  if (!name || *name == '(' || *name == 0) return;
  lua_pushstring(L, name);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

// Adds the locals that the calling code sees to the list on top.
static void list_locals(lua_State *L) {
  int list = lua_gettop(L);
  lua_Debug ar;
  if (!lua_getstack(L, 1, &ar)) return;
  const char *name;
  for (int n = 1; (name = lua_getlocal(L, &ar, n)); n++) {
    lua_pop(L, 1);
    list_name(L, list, name);
  }
  lua_getinfo(L, "f", &ar);
  int function = lua_gettop(L);
  for (int n = 1; (name = lua_getupvalue(L, function, n)); n++) {
    lua_pop(L, 1);
    list_name(L, list, name);
  }
  lua_settop(L, list);
}

// The __index of globals and libraries. Upvalues: the declared names or nil, the library's name or nil.
static int refuse_unknown(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  luaL_checkstack(L, 12, NULL);
  if (lua_istable(L, lua_upvalueindex(1))) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 0;
    lua_pop(L, 1);
  }
  luaL_where(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_explain);
  lua_pushvalue(L, 2);
  lua_newtable(L);
  list_keys(L, 1);
  if (lua_isnil(L, lua_upvalueindex(2))) list_locals(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_call(L, 3, 1);
  lua_concat(L, 2);
  return lua_error(L);
}

// The __newindex of globals: from here on the name exists, even if its value is nil.
static int declare(lua_State *L) {
  lua_settop(L, 3);
  lua_pushvalue(L, 2);
  lua_pushboolean(L, 1);
  lua_rawset(L, lua_upvalueindex(1));
  lua_rawset(L, 1);
  return 0;
}

void ls_keep_explanation(lua_State *L) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_explain);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_strict_libraries);
}

void ls_make_globals_strict(lua_State *L, bool assignable) {
  lua_createtable(L, 0, 4);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, &ls_key_declared);
  if (assignable) {
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, declare, 1);
    lua_setfield(L, -3, "__newindex");
  }
  lua_pushnil(L);
  lua_pushcclosure(L, refuse_unknown, 2);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

// All environments share the metatable of a library, so it must not show anything of one environment.
void ls_make_library_strict(lua_State *L, int name) {
  name = lua_absindex(L, name);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_strict_libraries);
  lua_pushvalue(L, name);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 2);
    lua_pushnil(L);
    lua_pushvalue(L, name);
    lua_pushcclosure(L, refuse_unknown, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, name);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
}

void ls_declare(lua_State *L, int index, const char *name, size_t length) {
  if (!lua_getmetatable(L, index)) return;
  if (lua_rawgetp(L, -1, &ls_key_declared) == LUA_TTABLE) {
    lua_pushlstring(L, name, length);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  lua_pop(L, 2);
}
