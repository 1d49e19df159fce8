#ifndef LS_PATTERN_H
#define LS_PATTERN_H

#include "vm.h"

enum { LS_CAPTURES = 32, LS_DEEPEST_MATCH = 200 };
#define LS_UNCLOSED ((ptrdiff_t)-1)
#define LS_POSITION ((ptrdiff_t)-2)
#define LS_PUSHED ((size_t)-2)

typedef struct ls_match {
  lua_State *L;
  const char *subject, *subject_end, *pattern_end;
  int depth, level;
  struct {
    const char *start;
    ptrdiff_t length;
  } capture[LS_CAPTURES];
} ls_match;

// Makes one attempt at `s`; returns the end of the match, or NULL.
const char *ls_match_at(ls_match *m, const char *s, const char *p);
// Returns the text of a capture, or LS_PUSHED if a position was pushed instead.
size_t ls_capture(ls_match *m, int i, const char *s, const char *e, const char **text);
int ls_push_captures(ls_match *m, const char *s, const char *e);

#endif
