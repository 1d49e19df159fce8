// Guards for string and utf8: every function that walks over a string first charges for its length.
#include <string.h>

#include "vm.h"

enum { BYTES_PER_STEP = 16, LONGEST_FORMAT = 64 * 1024, LARGEST_FIELD = 1 << 20 };

static void pay_for_strings(lua_State *L) {
  int64_t total = 0;
  for (int i = lua_gettop(L); i > 0; i--)
    if (lua_type(L, i) == LUA_TSTRING) total += (int64_t)lua_rawlen(L, i);
  ls_pay(L, total / BYTES_PER_STEP + lua_gettop(L));
}

// In the same frame, so that messages keep the name of the function. Stock functions of these libraries have no
// upvalues of their own.
static int call_stock(lua_State *L) {
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Charges for the length of all string arguments.
static int charged(lua_State *L) {
  pay_for_strings(L);
  return call_stock(L);
}

// A format has a loop of its own, so its length is charged too.
static int charged_format(lua_State *L) {
  size_t length = 0;
  luaL_checklstring(L, 1, &length);
  if (length > LONGEST_FORMAT) return luaL_argerror(L, 1, "format is too long");
  ls_pay(L, (int64_t)length);
  for (int i = lua_gettop(L); i > 1; i--)
    if (lua_type(L, i) == LUA_TSTRING && lua_rawlen(L, i) > 8 * LARGEST_FIELD)
      return luaL_argerror(L, i, "string is too long to format");
  pay_for_strings(L);
  return call_stock(L);
}

// Sizes in pack formats make padding: "c1000000000" would write a gigabyte.
static int charged_pack(lua_State *L) {
  size_t length = 0;
  const char *format = luaL_checklstring(L, 1, &length);
  if (length > LONGEST_FORMAT) return luaL_argerror(L, 1, "format is too long");
  int64_t size = 0, total = 0;
  for (size_t i = 0; i < length; i++) {
    if (format[i] < '0' || format[i] > '9') {
      size = 0;
      continue;
    }
    size = size * 10 + (format[i] - '0');
    if (size > LARGEST_FIELD) return luaL_argerror(L, 1, "size in format is too large");
    if (i + 1 == length || format[i + 1] < '0' || format[i + 1] > '9') total += size;
  }
  ls_pay(L, (int64_t)length + total / BYTES_PER_STEP);
  pay_for_strings(L);
  return call_stock(L);
}

static int repeat(lua_State *L) {
  size_t length = 0, gap = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &gap);
  if (times <= 0 || length + gap == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if ((uint64_t)times > (uint64_t)(INT64_C(1) << 40) / (length + gap))
    return luaL_error(L, "resulting string too large");
  size_t total = (size_t)times * length + (size_t)(times - 1) * gap;
  ls_pay(L, (int64_t)total / BYTES_PER_STEP + 1);
  luaL_Buffer b;
  char *out = luaL_buffinitsize(L, &b, total);
  size_t unit = length + gap, done = 0;
  memcpy(out, text, length);
  done = length;
  if (times > 1) {
    memcpy(out + done, separator, gap);
    done += gap;
    // Doubling: few large copies instead of many small ones.
    while (done < total) {
      size_t whole = done / unit * unit;
      size_t part = whole < total - done ? whole : total - done;
      memcpy(out + done, out, part);
      done += part;
    }
  }
  luaL_pushresultsize(&b, total);
  return 1;
}

// Arithmetic on strings converts them, at a cost proportional to their length.
static void charge_arithmetic(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  static const char *const events[] = {"__add", "__sub", "__mul", "__mod", "__pow",
                                       "__div", "__idiv", "__unm", NULL};
  for (const char *const *event = events; *event; event++) {
    lua_getfield(L, -1, *event);
    lua_pushcclosure(L, charged, 1);
    lua_setfield(L, -2, *event);
  }
  lua_pop(L, 2);
}

static void wrap(lua_State *L, lua_CFunction guard, const char *const *names) {
  for (; *names; names++) {
    lua_getfield(L, -1, *names);
    lua_pushcclosure(L, guard, 1);
    lua_setfield(L, -2, *names);
  }
}

void ls_guard_string(lua_State *L) {
  static const char *const linear[] = {"byte", "char", "lower", "upper", "reverse", NULL};
  static const char *const formats[] = {"format", NULL};
  static const char *const packs[] = {"pack", "unpack", "packsize", NULL};
  wrap(L, charged, linear);
  wrap(L, charged_format, formats);
  wrap(L, charged_pack, packs);
  lua_pushcfunction(L, repeat);
  lua_setfield(L, -2, "rep");
  charge_arithmetic(L);
}

void ls_guard_utf8(lua_State *L) {
  static const char *const linear[] = {"char", "codepoint", "codes", "len", "offset", NULL};
  wrap(L, charged, linear);
}
