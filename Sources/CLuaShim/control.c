// pcall, xpcall and tonumber: they never catch an abort.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm.h"

void ls_after_catch(lua_State *L, int status) {
  ls_vm *vm = ls_of(L);
  vm->host = 0;
  if (status == LUA_OK || status == LUA_YIELD) return;
  // A script that keeps catching failed allocations would collect forever.
  if (status == LUA_ERRMEM && ++vm->caught_memory_errors >= 3 && vm->armed && !vm->abort)
    vm->abort = LS_MEMORY;
  if (vm->abort) ls_raise_abort(L);
}

static int finish_call(lua_State *L, int status, lua_KContext extra) {
  ls_after_catch(L, status);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)extra;
}

// In a coroutine, a protected call leaves no mark on the C stack, whose limit would end a chain of such calls. Each
// error caught there examines every frame below, so a long chain has quadratic cost that no hook sees.
enum { DEEPEST_CATCH = 1000 };
static void refuse_depth(lua_State *L) {
  lua_Debug ar;
  if (lua_isyieldable(L) && lua_getstack(L, DEEPEST_CATCH, &ar))
    luaL_error(L, "stack overflow (protected call in too deep a recursion)");
}

static int guarded_pcall(lua_State *L) {
  refuse_depth(L);
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_call);
  return finish_call(L, status, 0);
}

// Runs before the script's handler. After an abort, which may have been raised inside a hook where no other hook can
// run, the script's handler must not run.
static int handler_gate(lua_State *L) {
  if (ls_of(L)->abort) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int guarded_xpcall(lua_State *L) {
  refuse_depth(L);
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handler_gate, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_call);
  return finish_call(L, status, 2);
}

// Calls the stock function after charging for the length of the text.
static int guarded_tonumber(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) ls_pay(L, (int64_t)lua_rawlen(L, 1) / 16 + 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int to_text(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}
void ls_push_tostring(lua_State *L) { lua_pushcfunction(L, to_text); }

// Leaves the error value unchanged, because it may be a table that the host needs.
int ls_message_handler(lua_State *L) {
  ls_vm *vm = ls_of(L);
  if (vm->abort) {
    ls_note_error_place(vm, L, 0);
    return 1;
  }
  if (!lua_checkstack(L, 12)) return 1;
  ls_note_error_place(vm, L, 1);
  return 1;
}

// Writes the innermost frames. Lua's own traceback first searches for the outermost frame, which in a deep recursion
// takes longer than any budget. This function examines a dozen frames and allocates no Lua memory.
static void note_traceback(ls_vm *vm, lua_State *thread, int level) {
  char text[2000] = "stack traceback:";
  size_t used = strlen(text);
  lua_Debug ar;
  for (int i = level; i < level + 12 && lua_getstack(thread, i, &ar); i++) {
    lua_getinfo(thread, "Sln", &ar);
    int written = ar.currentline > 0
                      ? snprintf(text + used, sizeof text - used, "\n\t%s:%d: in %s", ar.short_src,
                                 ar.currentline, ar.name ? ar.name : "?")
                      : snprintf(text + used, sizeof text - used, "\n\t%s: in %s", ar.short_src,
                                 ar.name ? ar.name : "?");
    if (written < 0 || (size_t)written >= sizeof text - used) {
      text[used] = 0;
      break;
    }
    used += (size_t)written;
  }
  free(vm->traceback);
  vm->traceback = strdup(text);
}

// Records line and traceback; cannot jump.
void ls_note_error_place(ls_vm *vm, lua_State *thread, int level) {
  ls_where(thread, level, &vm->error_line, vm->error_source, sizeof vm->error_source);
  note_traceback(vm, thread, level);
}

int ls_error_line(const ls_vm *vm) { return vm->error_line; }
const char *ls_error_source(const ls_vm *vm) { return vm->error_source; }
const char *ls_error_traceback(const ls_vm *vm) { return vm->traceback; }

void ls_where(lua_State *L, int level, int *line, char *source, size_t capacity) {
  lua_Debug ar;
  *line = 0;
  source[0] = 0;
  for (int i = level; i < level + 12 && lua_getstack(L, i, &ar); i++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline > 0) {
      *line = ar.currentline;
      strncpy(source, ar.short_src, capacity - 1);
      source[capacity - 1] = 0;
      return;
    }
  }
}

void ls_install_control(lua_State *L) {
  lua_pushcfunction(L, guarded_pcall);
  lua_setfield(L, -2, "pcall");
  lua_pushcfunction(L, guarded_xpcall);
  lua_setfield(L, -2, "xpcall");
  lua_getfield(L, -1, "tonumber");
  lua_pushcclosure(L, guarded_tonumber, 1);
  lua_setfield(L, -2, "tonumber");
}
