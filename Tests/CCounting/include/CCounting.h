// Tells callgrind which part of a program counts (valgrind's manual, section 6.5); elsewhere nothing happens.
#ifndef CCOUNTING_H
#define CCOUNTING_H

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

static inline void counting_begin(void) { CALLGRIND_START_INSTRUMENTATION; }
static inline void counting_end(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
static inline void counting_begin(void) {}
static inline void counting_end(void) {}
#endif

#endif
