// Swift objects that Lua holds: boxes behind functions, and host objects.
#include <stdlib.h>

#include "vm.h"

// Boxes have a list of their own. If memory or the C stack is short, Lua may drop a userdata without running its
// finalizer; its box is then released when the state closes.
struct ls_box {
  void *value;
  ls_box *next, **link;
};

// `bytes` is the additional memory of the value, which counts towards Lua's.
static void attach_box(lua_State *L, void *value, size_t bytes) {
  ls_vm *vm = ls_of(L);
  ls_box *box = malloc(sizeof *box);
  if (box == NULL) abort();
  *box = (ls_box){value, vm->boxes, &vm->boxes};
  if (vm->boxes) vm->boxes->link = &box->next;
  vm->boxes = box;
  *(ls_box **)lua_newuserdatauv(L, sizeof(ls_box *) + bytes, 0) = box;
}

static void release_box(ls_vm *vm, ls_box *box) {
  *box->link = box->next;
  if (box->next) box->next->link = box->link;
  vm->release(box->value);
  free(box);
}

static int collect_box(lua_State *L) {
  ls_box **slot = lua_touserdata(L, 1);
  ls_box *box = *slot;
  *slot = NULL;
  if (box) release_box(ls_of(L), box);
  return 0;
}

void *ls_boxed(lua_State *L, int index) {
  ls_box *box = *(ls_box **)lua_touserdata(L, index);
  return box ? box->value : NULL;
}

void ls_push_box(lua_State *L, void *value, size_t bytes) {
  attach_box(L, value, bytes);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_boxes);
  lua_setmetatable(L, -2);
}

void ls_open_boxes(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, collect_box);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_boxes);
}

void ls_release_all_boxes(ls_vm *vm) {
  while (vm->boxes) release_box(vm, vm->boxes);
}

void ls_push_object(lua_State *L, void *box) {
  attach_box(L, box, 0);
  lua_insert(L, -2);
  lua_setmetatable(L, -2);
}

void ls_mark_object_metatable(lua_State *L) {
  lua_pushcfunction(L, collect_box);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &ls_key_object);
}

void *ls_object_box(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
  bool ours = lua_rawgetp(L, -1, &ls_key_object) == LUA_TBOOLEAN;
  lua_pop(L, 2);
  return ours ? ls_boxed(L, index) : NULL;
}

// The table of identities is weak, so that an object lives as long as a script holds it. No script can reach it, and it
// is read and written raw while the limit is lifted: Lua 5.4.4 frees only weak metatables too early.
void ls_forget_identities(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &ls_key_identities);
}

void *ls_push_identified(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_identities);
  lua_insert(L, -2);
  void *box = lua_rawget(L, -2) == LUA_TUSERDATA ? ls_boxed(L, -1) : NULL;
  lua_remove(L, -2);
  if (box == NULL) lua_pop(L, 1);
  return box;
}

void ls_identify(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &ls_key_identities);
  lua_insert(L, -2);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}
