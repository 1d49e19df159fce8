// The allocator with a memory limit. It also charges the budget for writes.
#include <stdlib.h>
#include <string.h>

#include "vm.h"

enum { BIG_BLOCK = 64 * 1024, REFUSALS_PER_RUN = 64 };

// A refusal makes Lua do a full collection, whose cost is proportional to the heap.
static void *refuse(ls_vm *vm) {
  if (vm->since_refusal > vm->cap / 16) vm->refusals = 0;
  vm->since_refusal = 0;
  vm->left -= vm->used >> 6;
  ls_look_at_clocks(vm);
  if (++vm->refusals > REFUSALS_PER_RUN && vm->armed && !vm->abort) vm->abort = LS_MEMORY;
  return NULL;
}

static bool may_grow(ls_vm *vm, int64_t new_size, int64_t growth) {
  if (vm->fail_at) {
    vm->allocations++;
    // Lua repeats the request after an emergency collection: refuse both.
    if (vm->allocations == vm->fail_at || vm->allocations == vm->fail_at + 1) return false;
  }
  if (vm->abort && new_size > 4096) return false;
  return vm->used + growth <= vm->cap;
}

void *ls_allocate(void *ud, void *block, size_t old_size, size_t new_size) {
  ls_vm *vm = ud;
  if (block == NULL) old_size = 0;
  if (new_size == 0) {
    free(block);
    vm->used -= (int64_t)old_size;
    return NULL;
  }
  int64_t growth = (int64_t)new_size - (int64_t)old_size;
  if (growth > 0 && vm->host == 0) {
    if (!may_grow(vm, (int64_t)new_size, growth)) return refuse(vm);
    vm->since_refusal += growth;
    vm->left -= growth >> 8;
  }
  void *moved = realloc(block, new_size);
  if (moved == NULL) {
    if (growth <= 0) return block;
    if (vm->host) abort();  // the machine is out of memory while Swift runs
    return NULL;
  }
  vm->used += growth;
  if ((int64_t)new_size > BIG_BLOCK && (int64_t)new_size >= 2 * vm->biggest) {
    vm->biggest = (int64_t)new_size;
    if (vm->armed && vm->running) ls_set_hook(vm, vm->running);
  }
  return moved;
}

int64_t ls_memory_used(const ls_vm *vm) { return vm->used; }
void ls_fail_allocation(ls_vm *vm, int64_t k) {
  vm->fail_at = k;
  vm->allocations = 0;
}
int64_t ls_allocation_count(const ls_vm *vm) { return vm->allocations; }
int64_t ls_collect(ls_vm *vm) {
  lua_gc(vm->L, LUA_GCCOLLECT);
  return vm->used;
}
