// json.decode, with bounded depth and a charge for each byte.
#include <string.h>

#include "json.h"

typedef struct reader {
  lua_State *L;
  const char *start, *at, *end;
} reader;

static int bad_json(reader *r, const char *problem) {
  return luaL_error(r->L, "json: %s at byte %d", problem, (int)(r->at - r->start) + 1);
}

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) {
    ls_pay(r->L, 1);
    r->at++;
  }
}

static unsigned read_hex(reader *r) {
  if (r->end - r->at < 4) bad_json(r, "unfinished \\u escape");
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    char c = *r->at++;
    value = value * 16;
    if (c >= '0' && c <= '9') value += (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f') value += (unsigned)(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') value += (unsigned)(c - 'A' + 10);
    else bad_json(r, "invalid \\u escape");
  }
  return value;
}

static void add_utf8(luaL_Buffer *b, unsigned c) {
  if (c < 0x80) {
    luaL_addchar(b, (char)c);
  } else if (c < 0x800) {
    luaL_addchar(b, (char)(0xC0 | (c >> 6)));
    luaL_addchar(b, (char)(0x80 | (c & 63)));
  } else if (c < 0x10000) {
    luaL_addchar(b, (char)(0xE0 | (c >> 12)));
    luaL_addchar(b, (char)(0x80 | ((c >> 6) & 63)));
    luaL_addchar(b, (char)(0x80 | (c & 63)));
  } else {
    luaL_addchar(b, (char)(0xF0 | (c >> 18)));
    luaL_addchar(b, (char)(0x80 | ((c >> 12) & 63)));
    luaL_addchar(b, (char)(0x80 | ((c >> 6) & 63)));
    luaL_addchar(b, (char)(0x80 | (c & 63)));
  }
}

static void read_escape(reader *r, luaL_Buffer *b) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (r->at >= r->end) bad_json(r, "unfinished string");
  char c = *r->at++;
  const char *known = c ? strchr(letters, c) : NULL;
  if (known) {
    luaL_addchar(b, meanings[known - letters]);
    return;
  }
  if (c != 'u') bad_json(r, "invalid escape");
  unsigned code = read_hex(r);
  if (code >= 0xDC00 && code < 0xE000) bad_json(r, "lone surrogate");
  if (code >= 0xD800 && code < 0xDC00) {
    if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u') bad_json(r, "lone surrogate");
    r->at += 2;
    unsigned low = read_hex(r);
    if (low < 0xDC00 || low > 0xDFFF) bad_json(r, "lone surrogate");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  add_utf8(b, code);
}

static void read_string(reader *r) {
  r->at++;
  luaL_Buffer b;
  luaL_buffinit(r->L, &b);
  for (;;) {
    const char *from = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
      r->at++;
    ls_pay(r->L, (r->at - from) / 8 + 1);
    luaL_addlstring(&b, from, (size_t)(r->at - from));
    if (r->at >= r->end) bad_json(r, "unfinished string");
    if ((unsigned char)*r->at < 0x20) bad_json(r, "control character in string");
    if (*r->at++ == '"') break;
    read_escape(r, &b);
  }
  luaL_pushresult(&b);
}

static bool is_digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }
static void digits(reader *r) {
  if (!is_digit(r)) bad_json(r, "invalid number");
  while (is_digit(r)) r->at++;
}

// Integers that fit stay integers, so identifiers beyond 2^53 stay exact.
static void read_number(reader *r) {
  const char *from = r->at;
  bool whole = true;
  if (r->at < r->end && *r->at == '-') r->at++;
  if (r->at < r->end && *r->at == '0') r->at++;
  else digits(r);
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    digits(r);
    whole = false;
  }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
    digits(r);
    whole = false;
  }
  size_t length = (size_t)(r->at - from);
  ls_pay(r->L, (int64_t)length / 4 + 1);
  char text[128];
  if (length >= sizeof text - 3) bad_json(r, "number is too long");
  memcpy(text, from, length);
  text[length] = 0;
  if (lua_stringtonumber(r->L, text) == 0) bad_json(r, "invalid number");
  if (!whole && lua_isinteger(r->L, -1)) {
    lua_Number value = lua_tonumber(r->L, -1);
    lua_pop(r->L, 1);
    lua_pushnumber(r->L, value);
  }
}

static void read_value(reader *r, int depth);

static void read_array(reader *r, int depth) {
  lua_State *L = r->L;
  r->at++;
  lua_newtable(L);
  skip_space(r);
  if (r->at < r->end && *r->at == ']') {
    r->at++;
    ls_push_array_metatable(L);
    lua_setmetatable(L, -2);
    return;
  }
  for (lua_Integer i = 1;; i++) {
    read_value(r, depth + 1);
    lua_rawseti(L, -2, i);
    skip_space(r);
    if (r->at >= r->end) bad_json(r, "unfinished array");
    char c = *r->at;
    if (c != ',' && c != ']') bad_json(r, "expected ',' or ']'");
    r->at++;
    if (c == ']') return;
  }
}

static void read_object(reader *r, int depth) {
  lua_State *L = r->L;
  r->at++;
  lua_newtable(L);
  skip_space(r);
  if (r->at < r->end && *r->at == '}') {
    r->at++;
    return;
  }
  for (;;) {
    skip_space(r);
    if (r->at >= r->end || *r->at != '"') bad_json(r, "expected a name");
    read_string(r);
    skip_space(r);
    if (r->at >= r->end || *r->at != ':') bad_json(r, "expected ':'");
    r->at++;
    read_value(r, depth + 1);
    lua_rawset(L, -3);
    skip_space(r);
    if (r->at >= r->end) bad_json(r, "unfinished object");
    char c = *r->at;
    if (c != ',' && c != '}') bad_json(r, "expected ',' or '}'");
    r->at++;
    if (c == '}') return;
  }
}

static bool take_word(reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

static void read_value(reader *r, int depth) {
  lua_State *L = r->L;
  if (depth > LS_JSON_DEPTH) bad_json(r, "nested too deeply");
  luaL_checkstack(L, 8, "json");
  ls_pay(L, 2);
  skip_space(r);
  if (r->at >= r->end) bad_json(r, "unexpected end");
  switch (*r->at) {
    case '{': read_object(r, depth); return;
    case '[': read_array(r, depth); return;
    case '"': read_string(r); return;
    case 't':
      if (!take_word(r, "true")) break;
      lua_pushboolean(L, 1);
      return;
    case 'f':
      if (!take_word(r, "false")) break;
      lua_pushboolean(L, 0);
      return;
    case 'n':
      if (!take_word(r, "null")) break;
      ls_push_null(L);
      return;
    default:
      if (*r->at == '-' || is_digit(r)) {
        read_number(r);
        return;
      }
  }
  bad_json(r, "unexpected character");
}

int ls_json_decode(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  reader r = {L, text, text, text + length};
  read_value(&r, 1);
  skip_space(&r);
  if (r.at < r.end) bad_json(&r, "unexpected text after the value");
  return 1;
}
