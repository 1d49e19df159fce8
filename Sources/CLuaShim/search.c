// find, match, gmatch and gsub with the metered matcher.
#define _GNU_SOURCE  // memmem
#include <ctype.h>
#include <string.h>

#include "pattern.h"

static void prepare(ls_match *m, lua_State *L, const char *s, size_t length, const char *p,
                    size_t pattern_length) {
  m->L = L;
  m->subject = s;
  m->subject_end = s + length;
  m->pattern_end = p + pattern_length;
  m->level = 0;
  m->depth = LS_DEEPEST_MATCH;
}

// Converts a 1-based start, negative from the end, to an offset.
static size_t start_offset(lua_Integer at, size_t length) {
  if (at > 0) return (size_t)at - 1;
  if (at == 0) return 0;
  if (at < -(lua_Integer)length) return 0;
  return length + (size_t)at;
}

static bool is_plain(const char *p, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (p[i] && strchr("^$*+?.([%-", p[i])) return false;
  return true;
}

static int find_plain(lua_State *L, const char *s, size_t length, const char *p, size_t wanted,
                      size_t start) {
  ls_pay(L, (int64_t)(length - start + wanted) / 16 + 1);
  const char *found =
      wanted == 0 ? s + start : memmem(s + start, length - start, p, wanted);
  if (!found) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, found - s + 1);
  lua_pushinteger(L, found - s + (lua_Integer)wanted);
  return 2;
}

static int search(lua_State *L, bool find) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *p = luaL_checklstring(L, 2, &pattern_length);
  size_t start = start_offset(luaL_optinteger(L, 3, 1), length);
  if (start > length) {
    lua_pushnil(L);
    return 1;
  }
  if (find) {
    ls_pay(L, (int64_t)pattern_length / 16);
    if (lua_toboolean(L, 4) || is_plain(p, pattern_length))
      return find_plain(L, s, length, p, pattern_length, start);
  }
  bool anchored = pattern_length > 0 && *p == '^';
  if (anchored) p++, pattern_length--;
  ls_match m;
  prepare(&m, L, s, length, p, pattern_length);
  for (const char *at = s + start; at <= m.subject_end; at++) {
    ls_pay(L, 1);
    const char *end = ls_match_at(&m, at, p);
    if (end) {
      if (!find) return ls_push_captures(&m, at, end);
      lua_pushinteger(L, at - s + 1);
      lua_pushinteger(L, end - s);
      return ls_push_captures(&m, NULL, NULL) + 2;
    }
    if (anchored) break;
  }
  lua_pushnil(L);
  return 1;
}

static int find(lua_State *L) { return search(L, true); }
static int match(lua_State *L) { return search(L, false); }

// Upvalues: subject, pattern, next offset, end of the last match (-1 at first).
static int next_match(lua_State *L) {
  size_t length, pattern_length;
  const char *s = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  lua_Integer start = lua_tointeger(L, lua_upvalueindex(3));
  lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  ls_match m;
  prepare(&m, L, s, length, p, pattern_length);
  for (; start <= (lua_Integer)length; start++) {
    ls_pay(L, 1);
    const char *end = ls_match_at(&m, s + start, p);
    if (end && end - s != last) {
      lua_pushinteger(L, end - s);
      lua_copy(L, -1, lua_upvalueindex(3));
      lua_replace(L, lua_upvalueindex(4));
      return ls_push_captures(&m, s + start, end);
    }
  }
  // The end of the search is kept, so that a further call is cheap.
  lua_pushinteger(L, (lua_Integer)length + 1);
  lua_replace(L, lua_upvalueindex(3));
  return 0;
}

static int gmatch(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t start = start_offset(luaL_optinteger(L, 3, 1), length);
  if (start > length) start = length + 1;
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)start);
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

static void add_template(ls_match *m, luaL_Buffer *b, const char *s, const char *e) {
  lua_State *L = m->L;
  size_t length;
  const char *text = lua_tolstring(L, 3, &length);
  ls_pay(L, (int64_t)length / 4);
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '%') {
      luaL_addchar(b, text[i]);
      continue;
    }
    char c = ++i < length ? text[i] : 0;
    if (i < length && c == '%') {
      luaL_addchar(b, '%');
    } else if (i < length && c == '0') {
      ls_pay(L, (e - s) / 16);
      luaL_addlstring(b, s, (size_t)(e - s));
    } else if (i < length && isdigit((unsigned char)c)) {
      const char *captured;
      size_t size = ls_capture(m, c - '1', s, e, &captured);
      if (size == LS_PUSHED) {
        luaL_addvalue(b);
      } else {
        ls_pay(L, (int64_t)size / 16);
        luaL_addlstring(b, captured, size);
      }
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
}

// Returns true if something was replaced.
static bool add_replacement(ls_match *m, luaL_Buffer *b, const char *s, const char *e, int kind) {
  lua_State *L = m->L;
  if (kind == LUA_TTABLE) {
    const char *text;
    size_t length = ls_capture(m, 0, s, e, &text);
    if (length != LS_PUSHED) lua_pushlstring(L, text, length);
    lua_gettable(L, 3);
  } else if (kind == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, ls_push_captures(m, s, e), 1);
  } else {
    add_template(m, b, s, e);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(b, s, (size_t)(e - s));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return true;
}

static int gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *p = luaL_checklstring(L, 2, &pattern_length);
  int kind = lua_type(L, 3);
  luaL_argexpected(L,
                   kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                       kind == LUA_TTABLE,
                   3, "string/function/table");
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1);
  bool anchored = pattern_length > 0 && *p == '^';
  if (anchored) p++, pattern_length--;
  ls_match m;
  prepare(&m, L, s, length, p, pattern_length);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  const char *at = s, *last = NULL;
  lua_Integer count = 0;
  bool changed = false;
  while (count < most) {
    ls_pay(L, 1);
    const char *end = ls_match_at(&m, at, p);
    if (end && end != last) {
      count++;
      changed |= add_replacement(&m, &b, at, end, kind);
      at = last = end;
    } else if (at < m.subject_end) {
      luaL_addchar(&b, *at++);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (changed) {
    luaL_addlstring(&b, at, (size_t)(m.subject_end - at));
    luaL_pushresult(&b);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

void ls_guard_patterns(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
