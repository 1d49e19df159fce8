// json.encode, json.null, json.array. What is written is charged as memory and as work.
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char null_value = 0;

void ls_push_null(lua_State *L) { lua_pushlightuserdata(L, (void *)&null_value); }
bool ls_is_null(lua_State *L, int index) {
  return lua_islightuserdata(L, index) && lua_touserdata(L, index) == &null_value;
}
void ls_push_array_metatable(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_array);
}

// The text grows in a userdata at index 2, so that it is collected when an error jumps out.
typedef struct writer {
  lua_State *L;
  char *text;
  size_t size, capacity;
} writer;
enum { BUFFER = 2 };

static void put(writer *w, const char *bytes, size_t count) {
  if (count > w->capacity - w->size) {
    size_t capacity = w->capacity * 2 + count;
    char *larger = lua_newuserdatauv(w->L, capacity, 0);
    memcpy(larger, w->text, w->size);
    lua_replace(w->L, BUFFER);
    w->text = larger;
    w->capacity = capacity;
  }
  memcpy(w->text + w->size, bytes, count);
  w->size += count;
}
static void put_text(writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_string(writer *w, int index) {
  size_t length;
  const char *s = lua_tolstring(w->L, index, &length);
  ls_pay(w->L, (int64_t)length / 8 + 1);
  put(w, "\"", 1);
  size_t from = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) continue;
    put(w, s + from, i - from);
    from = i + 1;
    char escape[8];
    if (c == '"' || c == '\\') snprintf(escape, sizeof escape, "\\%c", c);
    else if (c == '\n') strcpy(escape, "\\n");
    else snprintf(escape, sizeof escape, "\\u%04x", c);
    put_text(w, escape);
  }
  put(w, s + from, length - from);
  put(w, "\"", 1);
}

// The shortest decimal text that reads back as the same number.
static void put_number(writer *w, int index) {
  lua_State *L = w->L;
  char text[64];
  if (lua_isinteger(L, index)) {
    snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, index));
    put_text(w, text);
    return;
  }
  double number = lua_tonumber(L, index);
  if (!isfinite(number)) luaL_error(L, "json: cannot encode a number that is not finite");
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(text, sizeof text, "%.*g", precision, number);
    lua_stringtonumber(L, text);
    bool same = lua_tonumber(L, -1) == number;
    lua_pop(L, 1);
    if (same) break;
  }
  // The locale may write another decimal point.
  for (char *c = text; *c; c++)
    if (!strchr("0123456789+-eE.", *c)) *c = '.';
  if (!strpbrk(text, ".eE")) strcat(text, ".0");
  put_text(w, text);
}

// An array has exactly the keys 1…n; an empty one is known by the mark of json.array.
static bool is_array(lua_State *L, int index, lua_Unsigned *length) {
  *length = lua_rawlen(L, index);
  if (*length == 0) {
    lua_pushnil(L);
    if (lua_next(L, index)) {
      lua_pop(L, 2);
      return false;
    }
    if (!lua_getmetatable(L, index)) return false;
    ls_push_array_metatable(L);
    bool marked = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return marked;
  }
  lua_Unsigned seen = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    ls_pay(L, 1);
    lua_Integer key = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (key < 1 || (lua_Unsigned)key > *length) {
      lua_pop(L, 2);
      return false;
    }
    seen++;
  }
  return seen == *length;
}

static void put_value(writer *w, int index, int depth);

static void put_array(writer *w, int index, lua_Unsigned length, int depth) {
  put(w, "[", 1);
  for (lua_Unsigned i = 1; i <= length; i++) {
    if (i > 1) put(w, ",", 1);
    lua_rawgeti(w->L, index, (lua_Integer)i);
    put_value(w, lua_gettop(w->L), depth + 1);
    lua_pop(w->L, 1);
  }
  put(w, "]", 1);
}

static void put_object(writer *w, int index, int depth) {
  lua_State *L = w->L;
  bool first = true;
  put(w, "{", 1);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "json: a table has a key that is a %s (neither a list nor named fields)",
                 luaL_typename(L, -2));
    if (!first) put(w, ",", 1);
    first = false;
    int top = lua_gettop(L);
    put_string(w, top - 1);
    put(w, ":", 1);
    put_value(w, top, depth + 1);
  }
  put(w, "}", 1);
}

static void put_value(writer *w, int index, int depth) {
  lua_State *L = w->L;
  ls_pay(L, 2);
  luaL_checkstack(L, 10, "json");
  switch (lua_type(L, index)) {
    case LUA_TNIL: put_text(w, "null"); return;
    case LUA_TBOOLEAN: put_text(w, lua_toboolean(L, index) ? "true" : "false"); return;
    case LUA_TNUMBER: put_number(w, index); return;
    case LUA_TSTRING: put_string(w, index); return;
    case LUA_TTABLE: {
      if (depth > LS_JSON_DEPTH) luaL_error(L, "json: nested too deeply (or a cycle)");
      ls_write_deferred(L, index);
      lua_Unsigned length;
      if (is_array(L, index, &length)) put_array(w, index, length, depth);
      else put_object(w, index, depth);
      return;
    }
    default:
      if (ls_is_null(L, index)) {
        put_text(w, "null");
      } else if (lua_type(L, index) == LUA_TUSERDATA &&
                 luaL_getmetafield(L, index, "__mask") == LUA_TSTRING) {
        put_string(w, lua_gettop(L));
        lua_pop(L, 1);
      } else {
        luaL_error(L, "json: cannot encode a %s", luaL_typename(L, index));
      }
  }
}

int ls_json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  writer w = {L, NULL, 0, 256};
  w.text = lua_newuserdatauv(L, w.capacity, 0);
  put_value(&w, 1, 1);
  lua_pushlstring(L, w.text, w.size);
  return 1;
}

// Marks a table as a list, so that it stays [] when it is empty.
static int mark_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  ls_write_deferred(L, 1);
  if (lua_getmetatable(L, 1)) return luaL_error(L, "json.array: the table has a metatable");
  ls_push_array_metatable(L);
  lua_setmetatable(L, 1);
  return 1;
}

void ls_push_json_library(lua_State *L) {
  lua_newtable(L);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_array);
  static const luaL_Reg functions[] = {
      {"encode", ls_json_encode}, {"decode", ls_json_decode}, {"array", mark_array}, {NULL, NULL}};
  luaL_newlib(L, functions);
  ls_push_null(L);
  lua_setfield(L, -2, "null");
}
