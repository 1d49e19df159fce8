#ifndef LS_JSON_H
#define LS_JSON_H

#include "vm.h"

enum { LS_JSON_DEPTH = 64 };
int ls_json_decode(lua_State *L);
int ls_json_encode(lua_State *L);

#endif
