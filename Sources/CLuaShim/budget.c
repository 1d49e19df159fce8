// Budgets: the count hook, the charge for work in C, and the abort that cannot be caught.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vm.h"

static const char abort_token = 0;
enum { WHOLE_STEP_BLOCK = 64 * 1024, SMALL_WORK = 50 };

ls_flag *ls_flag_new(void) {
  ls_flag *flag = malloc(sizeof *flag);
  if (flag == NULL) abort();
  atomic_init(&flag->raised, 0);
  return flag;
}
void ls_flag_free(ls_flag *flag) { free(flag); }
void ls_flag_raise(ls_flag *flag) { atomic_store(&flag->raised, 1); }
void ls_flag_clear(ls_flag *flag) { atomic_store(&flag->raised, 0); }
int ls_flag_raised(const ls_flag *flag) { return atomic_load(&flag->raised) != 0; }

static int64_t clock_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
int64_t ls_now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t ls_cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// Only marks the abort; callers that may raise then do so.
void ls_look_at_clocks(ls_vm *vm) {
  if (!vm->armed || vm->abort) return;
  if (atomic_load_explicit(&vm->flag->raised, memory_order_relaxed)) {
    vm->abort = LS_INTERRUPTED;
  } else if (vm->left < 0) {
    vm->abort = LS_INSTRUCTIONS;
  } else if (vm->cpu_limit != LS_UNLIMITED) {
    int64_t now = ls_cpu_ns();
    if (!vm->cpu_started) {
      vm->cpu_started = true;
      vm->cpu_start = now;
    } else if (now - vm->cpu_start > vm->cpu_limit) {
      vm->abort = LS_TIME;
    }
  }
  if (!vm->abort && vm->deadline != LS_UNLIMITED && ls_now_ns() > vm->deadline)
    vm->abort = LS_DEADLINE;
}

// A light userdata needs no memory, so raising it cannot fail.
int ls_raise_abort(lua_State *L) {
  lua_pushlightuserdata(L, (void *)&abort_token);
  return lua_error(L);
}

void ls_check(lua_State *L) {
  ls_vm *vm = ls_of(L);
  vm->unchecked = 0;
  ls_look_at_clocks(vm);
  if (vm->abort) ls_raise_abort(L);
}

static void hook(lua_State *L, lua_Debug *ar) {
  ls_vm *vm = ls_of(L);
  if (ar->event == LUA_HOOKLINE) {
    ls_tell_line(vm, L, ar->currentline);
  } else {
    int count = lua_gethookcount(L);
    vm->left -= count;
    vm->unchecked = 0;
    ls_look_at_clocks(vm);
  }
  if (vm->abort) {
    // From here on the hook runs at each instruction, so that nothing can continue.
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    ls_raise_abort(L);
  }
  ls_set_hook(vm, L);
}

// One instruction, such as a comparison, may take time proportional to the largest block, so the clock is read more
// often if that block is large.
void ls_set_hook(ls_vm *vm, lua_State *L) {
  // A new hook would begin to count anew, and a run that waits at each line would never pay.
  if (L == vm->waiting) return;
  int64_t count = vm->step;
  if (vm->biggest > WHOLE_STEP_BLOCK) count = count * WHOLE_STEP_BLOCK / vm->biggest;
  if (count < 1) count = 1;
  int mask = LUA_MASKCOUNT | (vm->on_line ? LUA_MASKLINE : 0);
  if (lua_gethook(L) != hook || lua_gethookcount(L) != (int)count || lua_gethookmask(L) != mask)
    lua_sethook(L, hook, mask, (int)count);
}

static int64_t step_for(int64_t instructions) {
  if (instructions == LS_UNLIMITED) return 1000;
  int64_t step = instructions / 100;
  return step < 100 ? 100 : step > 1000 ? 1000 : step;
}

void ls_arm(ls_vm *vm, const ls_budget *budget) {
  vm->left = budget->instructions;
  vm->step = step_for(budget->instructions);
  vm->cpu_limit = budget->cpu_ns;
  vm->cpu_started = false;
  vm->deadline = budget->deadline_ns;
  vm->cap = budget->memory;
  vm->abort = LS_RUNNING;
  vm->unchecked = 0;
  vm->refusals = 0;
  vm->since_refusal = 0;
  vm->caught_memory_errors = 0;
  // Garbage of an earlier run must not stop this one. The next collection waits for as much new memory.
  if (vm->used > vm->cap / 2 && vm->used > vm->collected_at + vm->cap / 4) {
    lua_gc(vm->L, LUA_GCCOLLECT);
    vm->collected_at = vm->used;
  }
  if (vm->biggest > vm->used) vm->biggest = vm->used;
  vm->error_line = 0;
  vm->error_source[0] = 0;
  free(vm->traceback);
  vm->traceback = NULL;
  vm->armed = true;
  // A raised flag, a spent budget or a passed deadline stops the run at its first step.
  if (atomic_load(&vm->flag->raised)) vm->step = 1;
  ls_set_hook(vm, vm->L);
}

void ls_disarm(ls_vm *vm, ls_budget *budget) {
  if (vm->cpu_started && vm->cpu_limit != LS_UNLIMITED) {
    int64_t spent = ls_cpu_ns() - vm->cpu_start;
    budget->cpu_ns = spent < vm->cpu_limit ? vm->cpu_limit - spent : 0;
  }
  if (budget->instructions != LS_UNLIMITED) budget->instructions = vm->left;
  if (vm->abort == LS_INTERRUPTED) ls_flag_clear(vm->flag);
  vm->armed = false;
  vm->abort = LS_RUNNING;
  vm->left = LS_UNLIMITED;
  vm->unchecked = 0;
}

int ls_abort_reason(const ls_vm *vm) { return vm->abort; }

bool ls_pay_from_host(ls_vm *vm, int64_t steps) {
  vm->left -= steps;
  vm->unchecked += steps;
  // The clock starts at the first look. Work that waits comes in slices, each with its own clock. A policy never waits,
  // and may take less time than reading the clock.
  bool may_wait = vm->profile != LS_POLICY;
  if (may_wait || steps >= SMALL_WORK || vm->unchecked >= vm->step || vm->left < 0) {
    vm->unchecked = 0;
    ls_look_at_clocks(vm);
  }
  return vm->abort == LS_RUNNING;
}
