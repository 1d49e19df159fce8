// Tables whose fields Swift writes at their first use.
//
// The pending fields are behind a key that no script can name. All of them are written before anything iterates over
// such a table or adds a field, so scripts cannot tell it from an ordinary table.
#include "vm.h"

static const char deferred_fields = 0, write_function = 0, metatable = 0;
// In the metatable of a deferred table: the metatable for the table once it is written.
static const char written_metatable = 0;

void *ls_deferred(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return NULL;
  void *fields = lua_rawgetp(L, index, &deferred_fields) == LUA_TUSERDATA ? ls_boxed(L, -1) : NULL;
  lua_pop(L, 1);
  return fields;
}

void ls_push_deferred(lua_State *L, void *box, size_t bytes) {
  lua_createtable(L, 0, 4);
  ls_push_box(L, box, bytes);
  lua_rawsetp(L, -2, &deferred_fields);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable);
  lua_setmetatable(L, -2);
}

void ls_end_deferred(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_pushnil(L);
  lua_rawsetp(L, index, &deferred_fields);
  if (!lua_getmetatable(L, index)) return;
  lua_rawgetp(L, -1, &written_metatable);
  lua_setmetatable(L, index);
  lua_pop(L, 1);
}

// Lets Swift write one field, or all fields without a name.
static void write(lua_State *L, int table, int name) {
  if (ls_deferred(L, table) == NULL) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &write_function);
  lua_pushvalue(L, table);
  if (name) lua_pushvalue(L, name);
  lua_call(L, name ? 2 : 1, 0);
}

static int index(lua_State *L) {
  lua_settop(L, 2);
  // Swift examines the whole name without a charge, so it gets only names that are short enough for a field.
  if (lua_type(L, 2) == LUA_TSTRING && lua_rawlen(L, 2) <= LS_LONGEST_FIELD) write(L, 1, 2);
  lua_rawget(L, 1);
  return 1;
}

// Tables with known names. A known name that is asked for here has no value. Any other name is reported to Swift, which
// raises. Upvalues: the names as keys, and the function of Swift.
static int unknown(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
      lua_pushnil(L);
      return 1;
    }
    if (lua_rawlen(L, 2) > LS_LONGEST_FIELD) lua_settop(L, 1);
  }
  int count = lua_gettop(L) > 1 && lua_type(L, 2) == LUA_TSTRING ? 1 : 0;
  lua_pushvalue(L, lua_upvalueindex(2));
  if (count) lua_pushvalue(L, 2);
  lua_call(L, count, 0);
  return 0;
}

static int index_known(lua_State *L) {
  lua_settop(L, 2);
  return unknown(L);
}

static int index_known_deferred(lua_State *L) {
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING && lua_rawlen(L, 2) <= LS_LONGEST_FIELD) {
    write(L, 1, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 1) != LUA_TNIL) return 1;
    lua_settop(L, 2);
  }
  return unknown(L);
}

static int new_index(lua_State *L) {
  lua_settop(L, 3);
  write(L, 1, 0);
  lua_rawset(L, 1);
  return 0;
}

static int next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  write(L, 1, 0);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

// The stock one would return the stock `next`, which sees only the fields written so far.
static int pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  lua_pushcfunction(L, next);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

void ls_write_deferred(lua_State *L, int index) { write(L, lua_absindex(L, index), 0); }

void ls_install_deferred(lua_State *L) {
  lua_pushcfunction(L, next);
  lua_setfield(L, -2, "next");
  lua_pushcfunction(L, pairs);
  lua_setfield(L, -2, "pairs");
}

void ls_open_deferred(lua_State *L) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &write_function);
  lua_createtable(L, 0, 3);
  lua_pushcfunction(L, index);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, new_index);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable);
}

void ls_push_known(lua_State *L) {
  int names = lua_gettop(L) - 1, function = names + 1;
  for (int deferred = 0; deferred < 2; deferred++) {
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, names);
    lua_pushvalue(L, function);
    lua_pushcclosure(L, deferred ? index_known_deferred : index_known, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
  }
  lua_pushcfunction(L, new_index);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, &written_metatable);
  lua_remove(L, function);
  lua_remove(L, names);
}
