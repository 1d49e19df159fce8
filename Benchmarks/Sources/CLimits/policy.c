// Lua in an ordinary C program: one state, all libraries, no limits.
#include "common.h"
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct LimitsPolicy {
  lua_State *state;
  int decide;
};

/// The words of a policy file that the workload's policy uses.
static const char words[] =
  "function policy(declaration) return declaration end\n"
  "function refuse(reason) return { answer = 'refuse', reason = reason } end\n"
  "function merge(plan)\n"
  "  return { answer = 'merge', into = plan.into.uid, from = plan.from.uid, fields = plan.fields }\n"
  "end\n"
  "function oldest(a, b) if b.createdAt < a.createdAt then return b, a end return a, b end\n";

LimitsPolicy *limits_policy_open(const char *text) {
  LimitsPolicy *policy = calloc(1, sizeof *policy);
  policy->state = luaL_newstate();
  luaL_openlibs(policy->state);
  if (luaL_dostring(policy->state, words) || luaL_dostring(policy->state, text)) {
    limits_fail("Lua", lua_tostring(policy->state, -1));
    limits_policy_close(policy);
    return NULL;
  }
  lua_getfield(policy->state, -1, "decide");
  policy->decide = luaL_ref(policy->state, LUA_REGISTRYINDEX);
  return policy;
}

void limits_policy_close(LimitsPolicy *policy) {
  if (!policy) return;
  lua_close(policy->state);
  free(policy);
}

static void set(lua_State *state, const char *name, const char *value) {
  lua_pushstring(state, value);
  lua_setfield(state, -2, name);
}

static void flag(lua_State *state, const char *name, int value) {
  lua_pushboolean(state, value);
  lua_setfield(state, -2, name);
}

static void entry(
  lua_State *state, int place, const char *provider, const char *subject, const LimitsAccount *account,
  int has_profile
) {
  lua_createtable(state, 0, 5);
  set(state, "providerID", provider);
  set(state, "uid", subject);
  set(state, "email", account->email);
  if (has_profile) {
    set(state, "displayName", account->name);
    set(state, "photoURL", account->photo);
  }
  lua_rawseti(state, -2, place);
}

static void push(lua_State *state, const LimitsAccount *account) {
  lua_createtable(state, 0, 12);
  set(state, "uid", account->uid);
  set(state, "email", account->email);
  set(state, "displayName", account->name);
  set(state, "photoURL", account->photo);
  flag(state, "emailVerified", 1);
  flag(state, "disabled", 0);
  flag(state, "isAnonymous", 0);
  lua_pushinteger(state, LIMITS_TIME);
  lua_setfield(state, -2, "createdAt");
  lua_createtable(state, 0, 2);
  lua_pushinteger(state, LIMITS_TIME);
  lua_setfield(state, -2, "createdAt");
  lua_setfield(state, -2, "metadata");
  lua_createtable(state, 0, 0);
  lua_setfield(state, -2, "customClaims");
  lua_createtable(state, 3, 0);
  entry(state, 1, "google.com", account->google, account, 1);
  entry(state, 2, "facebook.com", account->facebook, account, 1);
  entry(state, 3, "password", account->email, account, 0);
  lua_setfield(state, -2, "providerData");
}

int limits_policy_decide(LimitsPolicy *policy, const LimitsAccount *current, const LimitsAccount *existing) {
  lua_State *state = policy->state;
  lua_rawgeti(state, LUA_REGISTRYINDEX, policy->decide);
  lua_createtable(state, 0, 5);
  set(state, "code", "credential-already-in-use");
  set(state, "provider", "github.com");
  push(state, current);
  lua_setfield(state, -2, "current");
  push(state, existing);
  lua_setfield(state, -2, "existing");
  lua_createtable(state, 0, 3);
  flag(state, "current", 1);
  flag(state, "existing", 1);
  flag(state, "both", 1);
  lua_setfield(state, -2, "proof");
  if (lua_pcall(state, 1, 1, 0) != LUA_OK) {
    limits_fail("Lua", lua_tostring(state, -1));
    lua_settop(state, 0);
    return -1;
  }
  lua_getfield(state, -1, "into");
  int is_answer = lua_isstring(state, -1);
  lua_settop(state, 0);
  return is_answer ? 0 : limits_fail("Lua", "the policy did not merge");
}
