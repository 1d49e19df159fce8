// Lua patterns, metered: each step of the matcher is charged, so the budget ends backtracking. The results are those of
// the stock functions.
#include <ctype.h>
#include <string.h>

#include "pattern.h"

static const char *class_end(ls_match *m, const char *p) {
  char c = *p++;
  if (c == '%') {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (c != '[') return p;
  if (p < m->pattern_end && *p == '^') p++;
  // The first character is literal, even if it is ']'.
  do {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    char inner = *p++;
    if (inner == '%') {
      if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
      p++;
    }
  } while (p == m->pattern_end || *p != ']');
  return p + 1;
}

static bool in_class(int c, int letter) {
  bool found;
  switch (tolower(letter)) {
    case 'a': found = isalpha(c); break;
    case 'c': found = iscntrl(c); break;
    case 'd': found = isdigit(c); break;
    case 'g': found = isgraph(c); break;
    case 'l': found = islower(c); break;
    case 'p': found = ispunct(c); break;
    case 's': found = isspace(c); break;
    case 'u': found = isupper(c); break;
    case 'w': found = isalnum(c); break;
    case 'x': found = isxdigit(c); break;
    case 'z': found = c == 0; break;
    default: return letter == c;
  }
  return isupper(letter) ? !found : found;
}

// `p` is at '[', `last` at the closing ']'.
static bool in_set(ls_match *m, int c, const char *p, const char *last) {
  bool found = true;
  if (p[1] == '^') {
    found = false;
    p++;
  }
  ls_pay(m->L, (last - p) / 8);
  while (++p < last) {
    if (*p == '%') {
      p++;
      if (in_class(c, (unsigned char)*p)) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) return found;
      p += 2;
    } else if ((unsigned char)*p == c) {
      return found;
    }
  }
  return !found;
}

static bool matches_one(ls_match *m, const char *s, const char *p, const char *end) {
  ls_pay(m->L, 1);
  if (s >= m->subject_end) return false;
  int c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_set(m, c, p, end - 1);
    default: return (unsigned char)*p == c;
  }
}

static const char *match_here(ls_match *m, const char *s, const char *p);

static const char *balance(ls_match *m, const char *s, const char *p) {
  if (p + 1 >= m->pattern_end)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->subject_end || *s != p[0]) return NULL;
  int depth = 1;
  for (const char *t = s + 1; t < m->subject_end; t++) {
    ls_pay(m->L, 1);
    if (*t == p[1]) {
      if (--depth == 0) return t + 1;
    } else if (*t == p[0]) {
      depth++;
    }
  }
  return NULL;
}

static const char *longest(ls_match *m, const char *s, const char *p, const char *end) {
  ptrdiff_t i = 0;
  while (matches_one(m, s + i, p, end)) i++;
  for (; i >= 0; i--) {
    const char *found = match_here(m, s + i, end + 1);
    if (found) return found;
  }
  return NULL;
}

static const char *shortest(ls_match *m, const char *s, const char *p, const char *end) {
  for (;;) {
    const char *found = match_here(m, s, end + 1);
    if (found) return found;
    if (!matches_one(m, s, p, end)) return NULL;
    s++;
  }
}

static const char *open_capture(ls_match *m, const char *s, const char *p, ptrdiff_t kind) {
  if (m->level >= LS_CAPTURES) luaL_error(m->L, "too many captures");
  m->capture[m->level].start = s;
  m->capture[m->level].length = kind;
  m->level++;
  const char *found = match_here(m, s, p);
  if (!found) m->level--;
  return found;
}

static const char *close_capture(ls_match *m, const char *s, const char *p) {
  int i = m->level - 1;
  while (i >= 0 && m->capture[i].length != LS_UNCLOSED) i--;
  if (i < 0) luaL_error(m->L, "invalid pattern capture");
  m->capture[i].length = s - m->capture[i].start;
  const char *found = match_here(m, s, p);
  if (!found) m->capture[i].length = LS_UNCLOSED;
  return found;
}

static const char *back_reference(ls_match *m, const char *s, int digit) {
  int i = digit - '1';
  if (i < 0 || i >= m->level || m->capture[i].length == LS_UNCLOSED)
    luaL_error(m->L, "invalid capture index %%%d", i + 1);
  size_t length = (size_t)m->capture[i].length;
  // A position capture has a negative length: it matches nothing, as in the stock library.
  ls_pay(m->L, 1 + (m->capture[i].length > 0 ? m->capture[i].length / 16 : 0));
  if ((size_t)(m->subject_end - s) >= length && memcmp(m->capture[i].start, s, length) == 0)
    return s + length;
  return NULL;
}

static const char *frontier(ls_match *m, const char *s, const char **p) {
  if (*p >= m->pattern_end || **p != '[')
    luaL_error(m->L, "missing '[' after '%%f' in pattern");
  const char *end = class_end(m, *p);
  int before = s == m->subject ? 0 : (unsigned char)s[-1];
  int here = s < m->subject_end ? (unsigned char)*s : 0;
  bool matched = !in_set(m, before, *p, end - 1) && in_set(m, here, *p, end - 1);
  *p = end;
  return matched ? s : NULL;
}

static const char *match_steps(ls_match *m, const char *s, const char *p) {
  while (p != m->pattern_end) {
    ls_pay(m->L, 1);
    switch (*p) {
      case '(':
        if (p + 1 < m->pattern_end && p[1] == ')') return open_capture(m, s, p + 2, LS_POSITION);
        return open_capture(m, s, p + 1, LS_UNCLOSED);
      case ')': return close_capture(m, s, p + 1);
      case '$':
        if (p + 1 == m->pattern_end) return s == m->subject_end ? s : NULL;
        break;
      case '%':
        if (p + 1 < m->pattern_end) {
          char kind = p[1];
          if (kind == 'b') {
            s = balance(m, s, p + 2);
            if (!s) return NULL;
            p += 4;
            continue;
          }
          if (kind == 'f') {
            p += 2;
            s = frontier(m, s, &p);
            if (!s) return NULL;
            continue;
          }
          if (isdigit((unsigned char)kind)) {
            s = back_reference(m, s, kind);
            if (!s) return NULL;
            p += 2;
            continue;
          }
        }
        break;
      default: break;
    }
    const char *end = class_end(m, p);
    char suffix = end < m->pattern_end ? *end : 0;
    if (suffix == '*') return longest(m, s, p, end);
    if (suffix == '-') return shortest(m, s, p, end);
    bool one = matches_one(m, s, p, end);
    if (suffix == '+') return one ? longest(m, s + 1, p, end) : NULL;
    if (suffix == '?') {
      if (one) {
        const char *found = match_here(m, s + 1, end + 1);
        if (found) return found;
      }
      p = end + 1;
      continue;
    }
    if (!one) return NULL;
    s++;
    p = end;
  }
  return s;
}

static const char *match_here(ls_match *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  const char *found = match_steps(m, s, p);
  m->depth++;
  return found;
}

const char *ls_match_at(ls_match *m, const char *s, const char *p) {
  m->level = 0;
  m->depth = LS_DEEPEST_MATCH;
  return match_here(m, s, p);
}

size_t ls_capture(ls_match *m, int i, const char *s, const char *e, const char **text) {
  if (i >= m->level) {
    if (i != 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
    *text = s;
    return (size_t)(e - s);
  }
  ptrdiff_t length = m->capture[i].length;
  *text = m->capture[i].start;
  if (length == LS_UNCLOSED) luaL_error(m->L, "unfinished capture");
  if (length == LS_POSITION) {
    lua_pushinteger(m->L, m->capture[i].start - m->subject + 1);
    return LS_PUSHED;
  }
  return (size_t)length;
}

int ls_push_captures(ls_match *m, const char *s, const char *e) {
  int count = m->level == 0 && s ? 1 : m->level;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) {
    const char *text;
    size_t length = ls_capture(m, i, s, e, &text);
    if (length != LS_PUSHED) lua_pushlstring(m->L, text, length);
  }
  return count;
}
