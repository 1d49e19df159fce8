// The line function of tools: coverage and the debugger. Production states have none.
#include <stdlib.h>
#include <string.h>

#include "vm.h"

void ls_watch_lines(ls_vm *vm, ls_line_body body) { vm->on_line = body; }

// Swift runs with the limit lifted, so nothing jumps over its frames. What it used is settled afterwards by the caller.
void ls_tell_line(ls_vm *vm, lua_State *L, int line) {
  if (vm->on_line == NULL || !vm->armed || vm->abort) return;
  lua_State *running = vm->running;
  vm->running = L;
  vm->host++;
  bool goes_on = vm->on_line(vm->context, L, line);
  vm->host--;
  vm->running = running;
  // An error of the line function could be caught, and would call a handler while no hook can run. An abort cannot.
  if (!goes_on && !vm->abort) vm->abort = LS_INTERRUPTED;
  ls_settle(vm, L);
}

// Calls inside a hook run without hooks, so without limits. They therefore run in a thread of their own.
lua_State *ls_pause(ls_vm *vm, lua_State *L, ls_paused *paused) {
  paused->at_cpu_ns = ls_cpu_ns();
  paused->at_ns = ls_now_ns();
  paused->left = vm->left;
  paused->unchecked = vm->unchecked;
  paused->step = vm->step;
  paused->cpu_limit = vm->cpu_limit;
  paused->cpu_start = vm->cpu_start;
  paused->cpu_started = vm->cpu_started;
  paused->deadline = vm->deadline;
  paused->memory = vm->cap;
  paused->since_refusal = vm->since_refusal;
  paused->refusals = vm->refusals;
  paused->caught_memory_errors = vm->caught_memory_errors;
  paused->passable = vm->passable;
  paused->body = vm->on_line;
  paused->waiting = vm->waiting;
  vm->on_line = NULL;
  vm->passable = false;
  vm->waiting = L;
  lua_State *thread = lua_newthread(L);
  // It has the hook of the thread that made it, which tells lines.
  ls_set_hook(vm, thread);
  return thread;
}

void ls_continue(ls_vm *vm, lua_State *L, const ls_paused *paused) {
  vm->left = paused->left;
  vm->unchecked = paused->unchecked;
  vm->step = paused->step;
  vm->cpu_limit = paused->cpu_limit;
  vm->cpu_started = paused->cpu_started;
  vm->cpu_start = paused->cpu_start + (ls_cpu_ns() - paused->at_cpu_ns);
  vm->deadline = paused->deadline;
  if (paused->deadline != LS_UNLIMITED) vm->deadline += ls_now_ns() - paused->at_ns;
  vm->cap = paused->memory;
  vm->since_refusal = paused->since_refusal;
  vm->refusals = paused->refusals;
  vm->caught_memory_errors = paused->caught_memory_errors;
  vm->passable = paused->passable;
  vm->on_line = paused->body;
  vm->waiting = paused->waiting;
  vm->abort = LS_RUNNING;
  vm->armed = true;
  ls_set_hook(vm, L);
}

bool ls_runs(lua_State *L, const char *name) {
  lua_Debug ar;
  // The mark before the name says that it is shown as it is.
  return lua_getstack(L, 0, &ar) && lua_getinfo(L, "S", &ar) && strcmp(ar.source + 1, name) == 0;
}

int ls_depth(lua_State *L) {
  lua_Debug ar;
  int below = 0, above = 1;
  // Each search starts at the innermost frame, so the number is looked for by halves.
  while (lua_getstack(L, above, &ar)) {
    below = above;
    above *= 2;
  }
  while (below < above - 1) {
    int middle = below + (above - below) / 2;
    if (lua_getstack(L, middle, &ar)) below = middle;
    else above = middle;
  }
  return below + 1;
}

bool ls_frame_at(lua_State *L, int level, ls_frame *frame) {
  lua_Debug ar;
  if (!lua_getstack(L, level, &ar)) return false;
  lua_getinfo(L, "Sln", &ar);
  frame->line = ar.currentline;
  frame->defined_at = ar.linedefined;
  strncpy(frame->name, ar.name ? ar.name : "", sizeof frame->name - 1);
  frame->name[sizeof frame->name - 1] = 0;
  return true;
}

const char *ls_push_local(lua_State *L, int level, int number) {
  lua_Debug ar;
  return lua_getstack(L, level, &ar) ? lua_getlocal(L, &ar, number) : NULL;
}

const char *ls_push_upvalue(lua_State *L, int level, int number) {
  lua_Debug ar;
  if (!lua_getstack(L, level, &ar)) return NULL;
  lua_getinfo(L, "f", &ar);
  const char *name = lua_getupvalue(L, -1, number);
  lua_remove(L, name ? -2 : -1);
  return name;
}

// The compiled function as lua_dump writes it, in memory of the host.
typedef struct dump {
  unsigned char *bytes;
  size_t count, room;
} dump;

static int add_to_dump(lua_State *L, const void *part, size_t size, void *data) {
  (void)L;
  dump *d = data;
  if (d->count + size > d->room) {
    d->room = (d->count + size) * 2;
    d->bytes = realloc(d->bytes, d->room);
    if (d->bytes == NULL) abort();
  }
  memcpy(d->bytes + d->count, part, size);
  d->count += size;
  return 0;
}

// Reads the format of Lua 5.4 (ldump.c).
typedef struct reader {
  const unsigned char *at, *end;
  bool failed;
  ls_code_line found;
  void *context;
} reader;

enum { HEADER = 4 + 1 + 1 + 6 + 3 + 8 + 8, UPVALUE = 3, FARTHER = -0x80 };
enum { FLOAT = LUA_TNUMBER | 16, INTEGER = LUA_TNUMBER, SHORT = LUA_TSTRING, LONG = LUA_TSTRING | 16 };

static const unsigned char *take(reader *r, size_t count) {
  const unsigned char *start = r->at;
  if ((size_t)(r->end - r->at) < count) {
    r->failed = true;
    r->at = r->end;
    return NULL;
  }
  r->at += count;
  return start;
}

static int take_byte(reader *r) {
  const unsigned char *byte = take(r, 1);
  return byte ? *byte : 0x80;
}

static size_t take_size(reader *r) {
  size_t size = 0;
  for (;;) {
    int byte = take_byte(r);
    size = (size << 7) | (size_t)(byte & 0x7f);
    if (byte & 0x80) return size;
  }
}

static void skip_text(reader *r) {
  size_t size = take_size(r);
  if (size > 0) take(r, size - 1);
}

static void skip_constants(reader *r) {
  for (size_t left = take_size(r); left > 0 && !r->failed; left--) {
    int type = take_byte(r);
    if (type == FLOAT || type == INTEGER) take(r, 8);
    else if (type == SHORT || type == LONG) skip_text(r);
  }
}

// The instructions of a function; the opcode is in the lowest seven bits (lopcodes.h).
typedef struct instructions {
  const unsigned char *code;
  size_t count;
  bool is_vararg;
} instructions;

enum { TAIL_CALL = 69, OPCODE = 0x7f };

// False for the first instruction of a function with `...`, and for the returns that end a function or follow a tail
// call: they often cannot be reached.
static bool is_counted(const instructions *all, size_t pc) {
  if (all->code == NULL || pc + 1 >= all->count) return false;
  if (pc == 0) return !all->is_vararg;
  uint32_t before;
  memcpy(&before, all->code + (pc - 1) * 4, sizeof before);
  return (before & OPCODE) != TAIL_CALL;
}

// Tells the line of each instruction that counts.
static void read_lines(reader *r, const instructions *all, int defined_at) {
  size_t count = take_size(r);
  const unsigned char *steps = take(r, count);
  size_t far_count = take_size(r);
  int line = defined_at;
  size_t pc = 0;
  for (size_t far = 0; far <= far_count && !r->failed; far++) {
    size_t stop = count;
    int far_line = 0;
    if (far < far_count) {
      stop = take_size(r);
      far_line = (int)take_size(r);
    }
    for (; pc < stop && pc < count && steps; pc++) {
      line += (signed char)steps[pc];
      if (is_counted(all, pc)) r->found(r->context, line);
    }
    if (far < far_count && pc < count && steps && (signed char)steps[pc] == FARTHER) {
      line = far_line;
      if (is_counted(all, pc)) r->found(r->context, line);
      pc++;
    }
  }
}

static void read_function(reader *r) {
  skip_text(r);
  int defined_at = (int)take_size(r);
  take_size(r);
  take_byte(r);
  bool is_vararg = take_byte(r) == 1;
  take_byte(r);
  instructions all = {NULL, take_size(r), is_vararg};
  all.code = take(r, all.count * 4);
  skip_constants(r);
  take(r, take_size(r) * UPVALUE);
  for (size_t left = take_size(r); left > 0 && !r->failed; left--) read_function(r);
  read_lines(r, &all, defined_at);
  for (size_t left = take_size(r); left > 0 && !r->failed; left--) {
    skip_text(r);
    take_size(r);
    take_size(r);
  }
  for (size_t left = take_size(r); left > 0 && !r->failed; left--) skip_text(r);
}

bool ls_code_lines(lua_State *L, ls_code_line found, void *context) {
  dump d = {NULL, 0, 0};
  bool read = false;
  if (lua_dump(L, add_to_dump, &d, 0) == 0) {
    reader r = {d.bytes, d.bytes + d.count, false, found, context};
    // The number of the function's upvalues follows the header.
    take(&r, HEADER + 1);
    read_function(&r);
    read = !r.failed && r.at == r.end;
  }
  free(d.bytes);
  return read;
}
