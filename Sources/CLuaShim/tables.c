// The table library. The stock one loops in C over lengths that a script may invent (__len, __index); here each step is
// charged.
#include <limits.h>
#include <string.h>

#include "vm.h"

static lua_Integer length_of(lua_State *L, int i) {
  luaL_checktype(L, i, LUA_TTABLE);
  return luaL_len(L, i);
}

static int concat(lua_State *L) {
  lua_Integer last = length_of(L, 1);
  size_t gap = 0;
  const char *separator = luaL_optlstring(L, 2, "", &gap);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (; i <= last; i++) {
    ls_pay(L, 1);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    if (lua_type(L, -1) == LUA_TSTRING) ls_pay(L, (int64_t)lua_rawlen(L, -1) / 16);
    luaL_addvalue(&b);
    if (i == last) break;
    luaL_addlstring(&b, separator, gap);
  }
  luaL_pushresult(&b);
  return 1;
}

static int insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, 1) + 1);
  lua_Integer at = end;
  int count = lua_gettop(L);
  if (count == 3) {
    at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; i > at; i--) {
      ls_pay(L, 1);
      lua_geti(L, 1, i - 1);
      lua_seti(L, 1, i);
    }
  } else if (count != 2) {
    return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, at);
  return 0;
}

static int remove_one(lua_State *L) {
  lua_Integer size = length_of(L, 1);
  lua_Integer at = luaL_optinteger(L, 2, size);
  if (at != size)
    luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  lua_geti(L, 1, at);
  for (; at < size; at++) {
    ls_pay(L, 1);
    lua_geti(L, 1, at + 1);
    lua_seti(L, 1, at);
  }
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

static int move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, target, LUA_TTABLE);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = end - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool upward = to > end || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer n = 0; n < count; n++) {
      lua_Integer i = upward ? n : count - 1 - n;
      ls_pay(L, 1);
      lua_geti(L, 1, from + i);
      lua_seti(L, target, to + i);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

static int pack(lua_State *L) {
  int count = lua_gettop(L);
  ls_pay(L, count);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_seti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

static int unpack(lua_State *L) {
  lua_Integer i = luaL_optinteger(L, 2, 1);
  lua_Integer end = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (i > end) return 0;
  lua_Unsigned count = (lua_Unsigned)end - (lua_Unsigned)i;
  if (count >= (lua_Unsigned)INT_MAX || count >= 1000000)
    return luaL_error(L, "too many results to unpack");
  ls_pay(L, (int64_t)count + 1);
  if (!lua_checkstack(L, (int)++count)) return luaL_error(L, "too many results to unpack");
  for (; i < end; i++) lua_geti(L, 1, i);
  lua_geti(L, 1, end);
  return (int)count;
}

// Heap sort: no comparison of a script can make it slower than n log n.
static bool less(lua_State *L, int a, int b) {
  ls_pay(L, 2);
  if (lua_isnil(L, 2)) {
    if (lua_type(L, a) == LUA_TSTRING) ls_pay(L, (int64_t)lua_rawlen(L, a) / 64);
    return lua_compare(L, a, b, LUA_OPLT);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a < 0 ? a - 1 : a);
  lua_pushvalue(L, b < 0 ? b - 2 : b);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

// Sifts the value on top down from `root`; pops it.
static void sink(lua_State *L, lua_Integer root, lua_Integer size) {
  while (root <= size / 2) {
    lua_Integer child = 2 * root;
    lua_geti(L, 1, child);
    if (child < size) {
      lua_geti(L, 1, child + 1);
      if (less(L, -2, -1)) {
        lua_remove(L, -2);
        child++;
      } else {
        lua_pop(L, 1);
      }
    }
    if (!less(L, -2, -1)) {
      lua_pop(L, 1);
      break;
    }
    lua_seti(L, 1, root);
    root = child;
  }
  lua_seti(L, 1, root);
}

static int sort(lua_State *L) {
  lua_Integer size = length_of(L, 1);
  if (size < 2) return 0;
  luaL_argcheck(L, size < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, 20, NULL);
  for (lua_Integer root = size / 2; root >= 1; root--) {
    lua_geti(L, 1, root);
    sink(L, root, size);
  }
  for (lua_Integer end = size; end > 1; end--) {
    lua_geti(L, 1, end);
    lua_geti(L, 1, 1);
    lua_seti(L, 1, end);
    sink(L, 1, end - 1);
  }
  return 0;
}

void ls_push_table_library(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"concat", concat}, {"insert", insert}, {"remove", remove_one}, {"move", move},
      {"pack", pack},     {"unpack", unpack}, {"sort", sort},         {NULL, NULL}};
  luaL_newlib(L, functions);
}
