// The names that exist. This is an allow list: a name that is not taken from the stock libraries here does not exist.
#include <string.h>

#include "vm.h"

const char ls_key_identities = 0;
const char ls_key_environments = 0, ls_key_boxes = 0, ls_key_object = 0, ls_key_array = 0;
const char ls_key_metatable = 0, ls_key_stock_string = 0, ls_key_sealed = 0;
const char ls_key_randomseed = 0;

static const char *const everywhere[] = {"assert", "error",  "ipairs",   "next", "pairs",
                                         "select", "tostring", "tonumber", "type", NULL};
static const char *const with_tables[] = {"rawequal", "rawget", "rawlen", NULL};
static const char *const of_math[] = {
    "abs",  "acos", "asin", "atan", "ceil",   "cos",       "deg",  "exp", "floor", "fmod", "huge",
    "log",  "max",  "min",  "modf", "pi",     "rad",       "random", "sin", "sqrt", "tan",
    "tointeger", "type", "ult", "maxinteger", "mininteger", NULL};
static const char *const of_string[] = {"byte", "char", "find", "format", "gmatch", "gsub", "len",
                                        "lower", "match", "pack", "packsize", "rep", "reverse",
                                        "sub", "unpack", "upper", NULL};
static const char *const of_utf8[] = {"char", "charpattern", "codepoint", "codes",
                                      "len",  "offset",      NULL};

// Copies names from the table at `from` to the one on top.
static void take(lua_State *L, int from, const char *const *names) {
  for (; *names; names++) {
    lua_getfield(L, from, *names);
    lua_setfield(L, -2, *names);
  }
}

static void open_stock(lua_State *L, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
}

static void shallow_copy(lua_State *L, int from) {
  from = lua_absindex(L, from);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, from);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

static int refuse_global(lua_State *L) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  return luaL_error(L, "'%s' cannot be set here: only locals can change (write 'local %s')", name,
                    name);
}

void ls_seed(lua_State *L, uint64_t seed) {
  if (!lua_checkstack(L, 8)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_randomseed);
  lua_pushinteger(L, (lua_Integer)seed);
  lua_call(L, 1, 0);
}

static void open_math(lua_State *L, uint64_t seed) {
  open_stock(L, luaopen_math);
  int stock = lua_gettop(L);
  lua_getfield(L, stock, "randomseed");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_randomseed);
  ls_seed(L, seed);
  lua_newtable(L);
  take(L, stock, of_math);
  lua_remove(L, stock);
}

// Methods of strings come from a copy that no script can reach, so no script can replace them.
static void open_string(lua_State *L) {
  open_stock(L, luaopen_string);
  int stock = lua_gettop(L);
  lua_pushvalue(L, stock);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_stock_string);
  lua_newtable(L);
  take(L, stock, of_string);
  ls_guard_string(L);
  ls_guard_patterns(L);
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  shallow_copy(L, stock + 1);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
  lua_remove(L, stock);
}

static void open_utf8(lua_State *L) {
  open_stock(L, luaopen_utf8);
  int stock = lua_gettop(L);
  lua_newtable(L);
  take(L, stock, of_utf8);
  ls_guard_utf8(L);
  lua_remove(L, stock);
}

void ls_open_libraries(lua_State *L, uint64_t seed) {
  int profile = ls_of(L)->profile;
  luaL_checkstack(L, 40, NULL);
  lua_newtable(L);
  int born = lua_gettop(L);

  lua_pushcfunction(L, luaopen_base);
  lua_call(L, 0, 0);
  lua_pushglobaltable(L);
  int stock = lua_gettop(L);
  lua_pushvalue(L, born);
  take(L, stock, everywhere);
  ls_install_control(L);
  if (profile == LS_POLICY) {
    ls_install_deferred(L);
  } else {
    take(L, stock, with_tables);
    ls_install_metatables(L);
  }
  lua_pop(L, 2);

  open_string(L);
  lua_setfield(L, born, "string");
  ls_push_table_library(L);
  lua_setfield(L, born, "table");
  open_math(L, seed);
  lua_setfield(L, born, "math");
  open_utf8(L);
  lua_setfield(L, born, "utf8");
  ls_push_json_library(L);
  lua_setfield(L, born, "json");
  if (profile != LS_POLICY) {
    ls_push_coroutine_library(L);
    lua_setfield(L, born, "coroutine");
  }
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, born, "_VERSION");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_environments);

  // The real globals and the table of loaded modules end up empty.
  lua_newtable(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

// Replaces the table on top with an empty one that shows it and refuses every write.
static void seal(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -3);
  lua_rawsetp(L, -2, &ls_key_sealed);
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

void ls_push_environment(lua_State *L, bool sealed) {
  lua_checkstack(L, 16);
  lua_newtable(L);
  int environment = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_environments);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    bool plain = lua_istable(L, -2) && !lua_getmetatable(L, -2);
    if (plain) {
      shallow_copy(L, -2);
      ls_make_library_strict(L, -2);
      if (sealed) seal(L);
    } else {
      if (lua_istable(L, -2)) lua_pop(L, 1);
      lua_pushvalue(L, -2);
    }
    lua_rawset(L, environment);
  }
  lua_pop(L, 1);
  ls_make_globals_strict(L, !sealed);
  if (sealed) seal(L);
  lua_pushliteral(L, "_G");
  lua_pushvalue(L, environment);
  if (sealed) {
    ls_push_backing(L, environment);
    lua_insert(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
  } else {
    lua_rawset(L, environment);
  }
}

void ls_push_backing(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (lua_getmetatable(L, index)) {
    bool sealed = lua_rawgetp(L, -1, &ls_key_sealed) == LUA_TTABLE;
    lua_remove(L, -2);
    if (sealed) return;
    lua_pop(L, 1);
  }
  lua_pushvalue(L, index);
}

void ls_add_to_environments(lua_State *L, const char *name, size_t length) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_environments);
  lua_pushlstring(L, name, length);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

void ls_push_stock_string(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_stock_string);
}
