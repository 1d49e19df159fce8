// Shared by the files of the shim; Swift never sees it.
#ifndef LS_VM_H
#define LS_VM_H

#include <stdatomic.h>

#include "CLuaShim.h"

typedef struct ls_box ls_box;

struct ls_flag {
  atomic_int raised;
};

struct ls_vm {
  lua_State *L;
  lua_State *running;      // the thread whose code runs now
  lua_State *host_thread;  // the thread the host resumed, if any
  int profile;

  // Memory. While `host` is set, Swift runs: the limit is lifted, so that nothing can jump.
  int host;
  int64_t used, cap;
  int64_t since_refusal, collected_at;
  int refusals, caught_memory_errors;
  int64_t biggest;  // largest recent block: one instruction may take time proportional to it
  int64_t fail_at, allocations;

  // Budget.
  bool armed;
  int abort;
  int64_t left, unchecked, step;
  int64_t cpu_limit, cpu_start;  // the clock starts at the first look
  bool cpu_started;
  int64_t deadline;
  ls_flag *flag;

  // Yields of the host that pass through a script's own coroutines.
  bool host_yield, passable, resume_raises;

  ls_line_body on_line;  // NULL unless a tool watches the run
  lua_State *waiting;    // the thread that waits in its line function while calls aside run

  // Last error.
  int error_line;
  char error_source[LUA_IDSIZE + 4];
  char *traceback;

  ls_box *boxes;
  void *context;
  ls_body body;
  ls_release release;
};

static inline ls_vm *ls_of(lua_State *L) { return *(ls_vm **)lua_getextraspace(L); }

// Charges work that no hook counts. Raises if the budget is used up.
void ls_check(lua_State *L);
static inline void ls_pay(lua_State *L, int64_t steps) {
  ls_vm *vm = ls_of(L);
  if (steps > (INT64_C(1) << 50)) steps = INT64_C(1) << 50;
  vm->left -= steps;
  vm->unchecked += steps;
  if (vm->unchecked >= vm->step || vm->left < 0 || vm->abort) ls_check(L);
}

int ls_raise_abort(lua_State *L);
void ls_look_at_clocks(ls_vm *vm);
int64_t ls_cpu_ns(void);
// After Swift ran with the limit lifted: only marks an abort.
void ls_settle(ls_vm *vm, lua_State *L);
void ls_tell_line(ls_vm *vm, lua_State *L, int line);
void ls_set_hook(ls_vm *vm, lua_State *L);
void *ls_allocate(void *ud, void *block, size_t old_size, size_t new_size);
// Records a caught error; raises again if it must not be caught.
void ls_after_catch(lua_State *L, int status);
int ls_message_handler(lua_State *L);
void ls_note_error_place(ls_vm *vm, lua_State *thread, int level);

// Boxes of Swift objects.
void ls_open_boxes(lua_State *L);
void ls_push_box(lua_State *L, void *value, size_t bytes);
void *ls_boxed(lua_State *L, int index);
void ls_release_all_boxes(ls_vm *vm);

// Lets Swift write the pending fields of a deferred table; any other value is left unchanged.
void ls_write_deferred(lua_State *L, int index);

// Makes unknown names raise an error. The first is for the table on top, whose names may be assigned or not; the second
// is for the library on top, whose name is at `name`.
void ls_make_globals_strict(lua_State *L, bool assignable);
void ls_make_library_strict(lua_State *L, int name);

// Each installs into the library table on top of the stack.
void ls_install_control(lua_State *L);    // pcall, xpcall, tonumber
void ls_install_metatables(lua_State *L); // setmetatable, getmetatable
void ls_install_deferred(lua_State *L);   // next, pairs
void ls_push_coroutine_library(lua_State *L);
void ls_guard_string(lua_State *L);
void ls_guard_patterns(lua_State *L);
void ls_push_table_library(lua_State *L);
void ls_guard_utf8(lua_State *L);
void ls_push_json_library(lua_State *L);
void ls_open_libraries(lua_State *L, uint64_t seed);

// Keys of the registry: their addresses.
extern const char ls_key_environments, ls_key_boxes, ls_key_object, ls_key_array;
extern const char ls_key_identities;
extern const char ls_key_metatable, ls_key_stock_string, ls_key_sealed;
extern const char ls_key_randomseed;

#endif
