// Entries from Swift into Lua, and the trampoline back. Every entry is protected.
#include <stdlib.h>
#include <string.h>

#include "vm.h"

lua_State *ls_main(ls_vm *vm) { return vm->L; }

void ls_settle(ls_vm *vm, lua_State *L) {
  if (vm->host == 0 && vm->used > vm->cap) {
    vm->left -= vm->used >> 6;
    lua_gc(L, LUA_GCCOLLECT);
    if (vm->used > vm->cap && vm->armed && !vm->abort) vm->abort = LS_MEMORY;
  }
  // A stop that was requested meanwhile comes before the script can catch anything.
  if (vm->armed && !vm->abort && atomic_load_explicit(&vm->flag->raised, memory_order_relaxed))
    vm->abort = LS_INTERRUPTED;
}

// Called after Swift ran with the limit lifted: memory used beyond it is raised here, in C.
static void settle(ls_vm *vm, lua_State *L) {
  ls_settle(vm, L);
  if (vm->abort) ls_raise_abort(L);
}

static int after_yield(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  ls_vm *vm = ls_of(L);
  if (vm->resume_raises) {
    vm->resume_raises = false;
    settle(vm, L);
    return lua_error(L);
  }
  settle(vm, L);
  return lua_gettop(L);
}

static int call_body(lua_State *L, void *box) {
  ls_vm *vm = ls_of(L);
  if (box == NULL) return luaL_error(L, "this function belongs to a state that closed");
  lua_State *running = vm->running;
  vm->running = L;
  vm->host++;
  int32_t results = vm->body(vm->context, box, L);
  vm->host--;
  vm->running = running;
  settle(vm, L);
  if (results >= 0) return results;
  if (results != LS_YIELD) return lua_error(L);
  if (!lua_isyieldable(L) || !vm->passable)
    return luaL_error(L, "this call has to wait, which is not possible here "
                         "(inside a sort, a gsub callback or a call that does not wait)");
  vm->host_yield = true;
  lua_settop(L, 0);
  return lua_yieldk(L, 0, 0, after_yield);
}

static int trampoline(lua_State *L) {
  return call_body(L, ls_boxed(L, lua_upvalueindex(1)));
}

// __index of objects: methods first, then the body.
static int index_trampoline(lua_State *L) {
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) return 1;
  lua_settop(L, 2);
  return trampoline(L);
}

void ls_push_function(lua_State *L, void *box) {
  ls_push_box(L, box, 0);
  lua_pushcclosure(L, trampoline, 1);
}

void *ls_function_box(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != trampoline) return NULL;
  lua_getupvalue(L, index, 1);
  void *box = ls_boxed(L, -1);
  lua_pop(L, 1);
  return box;
}

void ls_push_index_function(lua_State *L, void *box) {
  ls_push_box(L, box, 0);
  lua_insert(L, -2);
  lua_pushcclosure(L, index_trampoline, 2);
}

static int panic(lua_State *L) {
  (void)L;
  abort();
}

typedef struct opening {
  uint64_t seed;
} opening;

static int open_state(lua_State *L) {
  opening *o = lua_touserdata(L, 1);
  ls_open_boxes(L);
  ls_forget_identities(L);
  ls_open_libraries(L, o->seed);
  return 0;
}

ls_vm *ls_open(int profile, uint64_t seed, int64_t memory, ls_flag *flag, void *context,
               ls_body body, ls_release release) {
  ls_vm *vm = calloc(1, sizeof *vm);
  if (vm == NULL) abort();
  vm->profile = profile;
  vm->host = 1;
  vm->cap = memory;
  vm->left = LS_UNLIMITED;
  vm->step = 1000;
  vm->cpu_limit = vm->deadline = LS_UNLIMITED;
  vm->flag = flag;
  vm->context = context;
  vm->body = body;
  vm->release = release;
  vm->L = lua_newstate(ls_allocate, vm);
  if (vm->L == NULL) abort();
  *(ls_vm **)lua_getextraspace(vm->L) = vm;
  lua_atpanic(vm->L, panic);
  vm->running = vm->L;
  opening o = {seed};
  lua_pushcfunction(vm->L, open_state);
  lua_pushlightuserdata(vm->L, &o);
  if (lua_pcall(vm->L, 1, 0, 0) != LUA_OK) {
    ls_close(vm);
    return NULL;
  }
  return vm;
}

void ls_close(ls_vm *vm) {
  vm->host = 1;
  lua_close(vm->L);
  ls_release_all_boxes(vm);
  free(vm->traceback);
  free(vm);
}

// Feeds the source in small pieces: the parser runs no hooks, but its reader may stop it.
typedef struct source {
  ls_vm *vm;
  const char *text;
  size_t left;
} source;
enum { PIECE = 512 };

static const char *next_piece(lua_State *L, void *data, size_t *size) {
  source *s = data;
  if (s->vm->armed) ls_pay(L, PIECE / 4);
  *size = s->left < PIECE ? s->left : PIECE;
  const char *piece = s->text;
  s->text += *size;
  s->left -= *size;
  if (s->vm->armed) ls_check(L);
  return *size ? piece : NULL;
}

// Parsing also happens under the memory limit and the budget. Leaves the function or the error.
int ls_load(ls_vm *vm, lua_State *L, const char *text, size_t length, const char *name) {
  source s = {vm, text, length};
  int host = vm->host;
  lua_State *running = vm->running;
  vm->host = 0;
  vm->running = L;
  int status = lua_load(L, next_piece, &s, name, "t");
  vm->running = running;
  vm->host = host;
  return status;
}

// The function and its arguments are on top; results or the error replace them.
int ls_call(ls_vm *vm, lua_State *L, int arguments) {
  int base = lua_gettop(L) - arguments;
  int host = vm->host;
  lua_State *running = vm->running;
  bool passable = vm->passable;
  lua_pushcfunction(L, ls_message_handler);
  lua_insert(L, base);
  vm->passable = false;
  vm->running = L;
  vm->host = 0;
  int status = lua_pcall(L, arguments, LUA_MULTRET, base);
  vm->host = host;
  vm->running = running;
  vm->passable = passable;
  if (vm->armed) ls_set_hook(vm, L);
  lua_remove(L, base);
  if (status == LUA_ERRMEM && vm->armed && !vm->abort) vm->abort = LS_MEMORY;
  return status;
}

int ls_resume(ls_vm *vm, lua_State *thread, int arguments, int *results, bool raising) {
  int host = vm->host;
  lua_State *running = vm->running;
  lua_State *host_thread = vm->host_thread;
  vm->passable = true;
  vm->running = thread;
  vm->host_thread = thread;
  vm->resume_raises = raising;
  vm->host_yield = false;
  vm->host = 0;
  ls_set_hook(vm, thread);
  int status = lua_resume(thread, running, arguments, results);
  vm->host = host;
  vm->running = running;
  vm->host_thread = host_thread;
  vm->passable = false;
  vm->host_yield = false;
  vm->resume_raises = false;
  if (status != LUA_OK && status != LUA_YIELD) {
    if (status == LUA_ERRMEM && vm->armed && !vm->abort) vm->abort = LS_MEMORY;
    ls_note_error_place(vm, thread, 0);
  }
  return status;
}
