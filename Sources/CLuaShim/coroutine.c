// Coroutines of scripts. They share the budget of the call, abort with it, and pass a yield of the host through. There
// is no close, because closing a long chain overflows the C stack of Lua 5.4.4.
#include "vm.h"

// State that a resume relies on; restored when it returns.
typedef struct frame {
  lua_State *running;
  bool passable;
} frame;

static frame enter(ls_vm *vm, lua_State *L, lua_State *co) {
  frame before = {vm->running, vm->passable};
  vm->running = co;
  vm->passable = before.passable && lua_isyieldable(L);
  return before;
}

static void leave(ls_vm *vm, frame before) {
  vm->running = before.running;
  vm->passable = before.passable;
}

// Moves `count` values to `co` and runs it; results or the error are left on L. Returns the number of results, -1 on
// error, -2 if the host wants to wait.
static int run(lua_State *L, lua_State *co, int count) {
  ls_vm *vm = ls_of(L);
  // A new thread has a new hook counter; without this charge, many short coroutines would be free.
  ls_pay(L, vm->step < 100 ? vm->step : 100);
  if (!lua_checkstack(co, count)) {
    lua_pop(L, count);
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, count);
  int results = 0;
  frame before = enter(vm, L, co);
  if (vm->armed) ls_set_hook(vm, co);
  int status = lua_resume(co, L, count, &results);
  leave(vm, before);
  // The coroutine may have made a block so large that the clock must be read more often here, too.
  if (vm->armed) ls_set_hook(vm, L);
  if (status == LUA_YIELD && vm->host_yield) return -2;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, results + 1)) {
      lua_pop(co, results);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, results);
    return results;
  }
  lua_xmove(co, L, 1);
  ls_after_catch(L, status);
  return -1;
}

static lua_State *thread_argument(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

static int resume_with(lua_State *L, lua_State *co, int count);
static int resume_again(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  return resume_with(L, lua_tothread(L, 1), lua_gettop(L) - 1);
}

static int resume_with(lua_State *L, lua_State *co, int count) {
  int results = run(L, co, count);
  if (results == -2) return lua_yieldk(L, 0, 0, resume_again);
  lua_pushboolean(L, results >= 0);
  int returned = results < 0 ? 1 : results;
  lua_insert(L, -(returned + 1));
  return returned + 1;
}

static int co_resume(lua_State *L) {
  lua_State *co = thread_argument(L);
  return resume_with(L, co, lua_gettop(L) - 1);
}

static int wrapped_again(lua_State *L, int status, lua_KContext context);
static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = run(L, co, lua_gettop(L));
  if (results == -2) return lua_yieldk(L, 0, 0, wrapped_again);
  if (results >= 0) return results;
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}
static int wrapped_again(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  return wrapped(L);
}

static int co_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  ls_pay(L, 20);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int co_wrap(lua_State *L) {
  co_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

static int co_yield(lua_State *L) {
  ls_vm *vm = ls_of(L);
  if (L == vm->host_thread || L == vm->L)
    return luaL_error(L, "cannot yield here: this code does not run in a coroutine");
  return lua_yield(L, lua_gettop(L));
}

static int co_status(lua_State *L) {
  lua_State *co = thread_argument(L);
  lua_Debug ar;
  const char *text = "dead";
  if (co == L) {
    text = "running";
  } else if (lua_status(co) == LUA_YIELD) {
    text = "suspended";
  } else if (lua_status(co) == LUA_OK) {
    if (lua_getstack(co, 0, &ar)) text = "normal";
    else if (lua_gettop(co) > 0) text = "suspended";
  }
  lua_pushstring(L, text);
  return 1;
}

static int co_isyieldable(lua_State *L) {
  ls_vm *vm = ls_of(L);
  lua_State *co = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  lua_pushboolean(L, co != vm->host_thread && co != vm->L && lua_isyieldable(co));
  return 1;
}

static int co_running(lua_State *L) {
  ls_vm *vm = ls_of(L);
  bool outermost = L == vm->host_thread || L == vm->L;
  lua_pushthread(L);
  lua_pushboolean(L, outermost);
  return 2;
}

void ls_push_coroutine_library(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", co_create},   {"resume", co_resume},           {"yield", co_yield},
      {"status", co_status},   {"isyieldable", co_isyieldable}, {"running", co_running},
      {"wrap", co_wrap},       {NULL, NULL}};
  luaL_newlib(L, functions);
}
