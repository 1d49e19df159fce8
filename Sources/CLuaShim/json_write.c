// json.encode, json.null, json.array, and the output of `--json`. The text is charged as memory and as work.
#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char null_value = 0;

void ls_push_null(lua_State *L) { lua_pushlightuserdata(L, (void *)&null_value); }
bool ls_is_null(lua_State *L, int index) {
  return lua_islightuserdata(L, index) && lua_touserdata(L, index) == &null_value;
}
void ls_push_array_metatable(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_array);
}

// The text grows in a userdata at index 2, so that it is collected when an error jumps out. With a sink it stays small.
typedef struct writer {
  lua_State *L;
  char *text;
  size_t size, capacity;
  ls_sink sink;
  void *context;
  bool empty_is_list;
  const char *name;  // the value's name in errors
} writer;
enum { BUFFER = 2, PART = 64 * 1024 };

// The place of a value: under a name, which is on the stack, or in a list.
typedef struct place {
  const struct place *up;
  const void *table;  // the table being written, to detect cycles
  int depth;
  int key;  // 0 in a list
  lua_Integer element;
} place;

static void flush(writer *w) {
  if (w->size) w->sink(w->context, w->text, w->size);
  w->size = 0;
}

static void put(writer *w, const char *bytes, size_t count) {
  if (count > w->capacity - w->size) {
    if (w->sink) {
      flush(w);
      if (count > w->capacity) {
        w->sink(w->context, bytes, count);
        return;
      }
    } else {
      size_t capacity = w->capacity * 2 + count;
      char *larger = lua_newuserdatauv(w->L, capacity, 0);
      memcpy(larger, w->text, w->size);
      lua_replace(w->L, BUFFER);
      w->text = larger;
      w->capacity = capacity;
    }
  }
  memcpy(w->text + w->size, bytes, count);
  w->size += count;
}
static void put_text(writer *w, const char *text) { put(w, text, strlen(text)); }

static bool is_name(const char *s, size_t length) {
  if (length == 0 || (s[0] >= '0' && s[0] <= '9')) return false;
  for (size_t i = 0; i < length; i++)
    if (!(s[i] == '_' || (s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'z') ||
          (s[i] >= 'A' && s[i] <= 'Z')))
      return false;
  return true;
}

// The number of bytes of a key that a message repeats.
enum { LONGEST_KEY = 60 };

static void add_path(luaL_Buffer *b, const writer *w, const place *p) {
  if (p->up == NULL) {
    luaL_addstring(b, w->name);
    return;
  }
  add_path(b, w, p->up);
  char number[32];
  if (p->key == 0) {
    snprintf(number, sizeof number, "[%lld]", (long long)p->element);
    luaL_addstring(b, number);
    return;
  }
  size_t length;
  const char *key = lua_tolstring(w->L, p->key, &length);
  if (is_name(key, length) && length <= LONGEST_KEY) {
    luaL_addchar(b, '.');
    luaL_addlstring(b, key, length);
    return;
  }
  size_t shown = length;
  if (shown > LONGEST_KEY)
    for (shown = LONGEST_KEY; shown > 0 && ((unsigned char)key[shown] & 0xC0) == 0x80;) shown--;
  luaL_addstring(b, "[\"");
  luaL_addlstring(b, key, shown);
  luaL_addstring(b, shown < length ? "…\"]" : "\"]");
}

// Raises an error with the place and the problem.
static int refuse(writer *w, const place *p, const char *format, ...) {
  lua_State *L = w->L;
  luaL_checkstack(L, 10, "json");
  luaL_Buffer b;
  va_list arguments;
  va_start(arguments, format);
  const char *problem = lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  luaL_buffinit(L, &b);
  if (w->sink == NULL) luaL_addstring(&b, "json: ");
  add_path(&b, w, p);
  luaL_addchar(&b, ' ');
  luaL_addstring(&b, problem);
  luaL_pushresult(&b);
  return lua_error(L);
}

// Returns the length of the character at `s`; 0 if it is not UTF-8.
static size_t character(const unsigned char *s, size_t left) {
  if (s[0] < 0x80) return 1;
  if (s[0] >= 0xC2 && s[0] <= 0xDF) return left > 1 && (s[1] & 0xC0) == 0x80 ? 2 : 0;
  if (s[0] >= 0xE0 && s[0] <= 0xEF) {
    unsigned char low = s[0] == 0xE0 ? 0xA0 : 0x80, high = s[0] == 0xED ? 0x9F : 0xBF;
    return left > 2 && s[1] >= low && s[1] <= high && (s[2] & 0xC0) == 0x80 ? 3 : 0;
  }
  if (s[0] >= 0xF0 && s[0] <= 0xF4) {
    unsigned char low = s[0] == 0xF0 ? 0x90 : 0x80, high = s[0] == 0xF4 ? 0x8F : 0xBF;
    return left > 3 && s[1] >= low && s[1] <= high && (s[2] & 0xC0) == 0x80 &&
                   (s[3] & 0xC0) == 0x80
               ? 4
               : 0;
  }
  return 0;
}

static void put_string(writer *w, int index, const place *p) {
  size_t length;
  const char *s = lua_tolstring(w->L, index, &length);
  ls_pay(w->L, (int64_t)length / 8 + 1);
  put(w, "\"", 1);
  size_t from = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c >= 0x80) {
      size_t count = character((const unsigned char *)s + i, length - i);
      if (count == 0)
        refuse(w, p, "has a byte that is no UTF-8 text (0x%s at %d). Encode it as base64 first.",
               lua_pushfstring(w->L, "%c%c", "0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]),
               (int)i + 1);
      i += count - 1;
      continue;
    }
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
static void put_number(writer *w, int index, const place *p) {
  lua_State *L = w->L;
  char text[64];
  if (lua_isinteger(L, index)) {
    snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, index));
    put_text(w, text);
    return;
  }
  double number = lua_tonumber(L, index);
  if (!isfinite(number)) {
    refuse(w, p, "is %s, a number that is not finite; JSON has no form for it.",
           isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
  }
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(text, sizeof text, "%.*g", precision, number);
    lua_stringtonumber(L, text);
    bool same = lua_tonumber(L, -1) == number;
    lua_pop(L, 1);
    if (same) break;
  }
  // The locale may use another decimal point.
  for (char *c = text; *c; c++)
    if (!strchr("0123456789+-eE.", *c)) *c = '.';
  if (!strpbrk(text, ".eE")) strcat(text, ".0");
  put_text(w, text);
}

// An array has exactly the keys 1…n; an empty one is identified by the mark of json.array.
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

static void put_value(writer *w, int index, const place *p);

static void put_array(writer *w, int index, lua_Unsigned length, const place *p) {
  put(w, "[", 1);
  for (lua_Unsigned i = 1; i <= length; i++) {
    if (i > 1) put(w, ",", 1);
    lua_rawgeti(w->L, index, (lua_Integer)i);
    place inner = {p, NULL, p->depth + 1, 0, (lua_Integer)i};
    put_value(w, lua_gettop(w->L), &inner);
    lua_pop(w->L, 1);
  }
  put(w, "]", 1);
}

// Raises for a table that is neither a list nor has only names as keys; `key` is a key of it that is not text.
static void refuse_keys(writer *w, int index, int key, const place *p) {
  lua_State *L = w->L;
  lua_Integer last = 0, count = 0;
  bool has_names = false, is_list = true;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    ls_pay(L, 1);
    if (lua_type(L, -2) == LUA_TSTRING) has_names = true;
    else if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1) is_list = false;
    else {
      count++;
      if (lua_tointeger(L, -2) > last) last = lua_tointeger(L, -2);
    }
  }
  if (is_list && has_names)
    refuse(w, p, "has both elements and names, and JSON has lists or objects. Make it one of them.");
  if (is_list && last / 4 <= count) {
    lua_Integer missing = 1;
    while (lua_rawgeti(L, index, missing) != LUA_TNIL) {
      lua_pop(L, 1);
      missing++;
    }
    refuse(w, p, "is a list without element %I, and lists of JSON have no holes. Fill it with json.null.",
           (LUAI_UACINT)missing);
  }
  if (lua_type(L, key) == LUA_TNUMBER) {
    lua_pushvalue(L, key);
    refuse(w, p, "has the key %s, a number, and keys of JSON are text. Use tostring(key) as the key.",
           lua_tostring(L, -1));
  }
  refuse(w, p, "has a key that is a %s, and keys of JSON are text.", luaL_typename(L, key));
}

typedef struct member {
  const char *name;
  size_t length;
} member;

static int by_name(const void *a, const void *b) {
  const member *one = a, *other = b;
  size_t shorter = one->length < other->length ? one->length : other->length;
  int order = memcmp(one->name, other->name, shorter);
  if (order) return order;
  return one->length < other->length ? -1 : one->length > other->length;
}

static void put_object(writer *w, int index, const place *p) {
  lua_State *L = w->L;
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) {
      lua_pop(L, 1);
      refuse_keys(w, index, lua_gettop(L), p);
    }
    count++;
  }
  if (count == 0) {
    put_text(w, w->empty_is_list ? "[]" : "{}");
    return;
  }
  int64_t steps = 1;
  for (size_t n = count; n > 1; n /= 2) steps++;
  ls_pay(L, (int64_t)count * steps / 4 + 1);
  // The names live as long as the table has them.
  member *members = lua_newuserdatauv(L, count * sizeof(member), 0);
  size_t known = 0;
  for (lua_pushnil(L); lua_next(L, index) && known < count; lua_pop(L, 1), known++)
    members[known].name = lua_tolstring(L, -2, &members[known].length);
  qsort(members, known, sizeof(member), by_name);
  put(w, "{", 1);
  for (size_t i = 0; i < known; i++) {
    if (i > 0) put(w, ",", 1);
    lua_pushlstring(L, members[i].name, members[i].length);
    lua_pushvalue(L, -1);
    lua_rawget(L, index);
    int top = lua_gettop(L);
    place inner = {p, NULL, p->depth + 1, top - 1, 0};
    put_string(w, top - 1, &inner);
    put(w, ":", 1);
    put_value(w, top, &inner);
    lua_pop(L, 2);
  }
  put(w, "}", 1);
  lua_pop(L, 1);
}

static void put_table(writer *w, int index, const place *outer) {
  lua_State *L = w->L;
  place here = *outer;
  here.table = lua_topointer(L, index);
  for (const place *p = outer->up; p; p = p->up)
    if (p->table == here.table) refuse(w, outer, "contains itself; JSON has no form for that.");
  if (outer->depth > LS_JSON_DEPTH)
    refuse(w, outer, "is nested deeper than %d levels, which is the most for JSON here.",
           LS_JSON_DEPTH);
  ls_write_deferred(L, index);
  lua_Unsigned length;
  if (is_array(L, index, &length)) put_array(w, index, length, &here);
  else put_object(w, index, &here);
}

// Writes a host object as the data that the host returns for it.
static void put_host_object(writer *w, int index, const place *p) {
  lua_State *L = w->L;
  const char *name = luaL_getmetafield(L, index, "__name") == LUA_TSTRING ? lua_tostring(L, -1)
                                                                          : "object";
  if (luaL_getmetafield(L, index, "__json") == LUA_TNIL)
    refuse(w, p, "is the object '%s'; JSON has no form for it.", name);
  lua_pushvalue(L, index);
  lua_call(L, 1, 1);
  if (lua_type(L, -1) != LUA_TTABLE) refuse(w, p, "is the object '%s'; JSON has no form for it.", name);
  // Empty tables from the host are lists, such as the identities of an account that has none.
  bool outside = w->empty_is_list;
  w->empty_is_list = true;
  put_table(w, lua_gettop(L), p);
  w->empty_is_list = outside;
  lua_pop(L, 2);
}

static void put_value(writer *w, int index, const place *p) {
  lua_State *L = w->L;
  ls_pay(L, 2);
  luaL_checkstack(L, 12, "json");
  switch (lua_type(L, index)) {
    case LUA_TNIL: put_text(w, "null"); return;
    case LUA_TBOOLEAN: put_text(w, lua_toboolean(L, index) ? "true" : "false"); return;
    case LUA_TNUMBER: put_number(w, index, p); return;
    case LUA_TSTRING: put_string(w, index, p); return;
    case LUA_TTABLE: put_table(w, index, p); return;
    case LUA_TTHREAD: refuse(w, p, "is a coroutine; JSON has no form for it."); return;
    default:
      if (ls_is_null(L, index)) {
        put_text(w, "null");
      } else if (lua_type(L, index) == LUA_TUSERDATA &&
                 luaL_getmetafield(L, index, "__mask") == LUA_TSTRING) {
        put_string(w, lua_gettop(L), p);
        lua_pop(L, 1);
      } else if (ls_object_box(L, index)) {
        put_host_object(w, index, p);
      } else {
        refuse(w, p, "is a %s; JSON has no form for it.", luaL_typename(L, index));
      }
  }
}

int ls_json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  writer w = {.L = L, .capacity = 256, .name = "value"};
  w.text = lua_newuserdatauv(L, w.capacity, 0);
  place root = {.depth = 1};
  put_value(&w, 1, &root);
  lua_pushlstring(L, w.text, w.size);
  return 1;
}

static int write_to_sink(lua_State *L) {
  writer w = *(const writer *)lua_touserdata(L, 2);
  lua_settop(L, 1);
  w.L = L;
  w.capacity = PART;
  w.text = lua_newuserdatauv(L, PART, 0);
  place root = {.depth = 1};
  put_value(&w, 1, &root);
  flush(&w);
  return 0;
}

int ls_write_json(ls_vm *vm, lua_State *L, const char *name, bool empty_is_list, ls_sink sink,
                  void *context) {
  writer w = {.sink = sink, .context = context, .empty_is_list = empty_is_list, .name = name};
  lua_pushcfunction(L, write_to_sink);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, &w);
  return ls_call(vm, L, 2);
}

// tostring(json.null); no other value has its type.
static int null_text(lua_State *L) {
  lua_pushstring(L, ls_is_null(L, 1) ? "json.null" : "userdata");
  return 1;
}

// Marks a table as a list, so that it stays [] if it is empty.
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
  lua_newtable(L);
  lua_pushcfunction(L, null_text);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "null");
}
