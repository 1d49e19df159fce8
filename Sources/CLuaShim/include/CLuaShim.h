// The C half of the Lua embedding: allocator, budgets, guarded libraries and the
// trampolines through which Swift functions are called. Only C raises or yields;
// no error ever jumps over a Swift frame.
#ifndef CLUASHIM_H
#define CLUASHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

typedef struct ls_vm ls_vm;
typedef struct ls_flag ls_flag;

// The reasons why a run was stopped.
enum {
  LS_RUNNING = 0,
  LS_INSTRUCTIONS = 1,
  LS_TIME = 2,
  LS_DEADLINE = 3,
  LS_MEMORY = 4,
  LS_INTERRUPTED = 5
};

enum { LS_POLICY = 0, LS_PLUGIN = 1, LS_CONSOLE = 2 };

// The special results of a Swift body, which otherwise returns a count of results.
enum { LS_RAISE = -1, LS_YIELD = -2 };

// Runs a Swift body. `box` is the argument of ls_push_function.
typedef int32_t (*ls_body)(void *context, void *box, lua_State *L);
// Releases a box when Lua collects its owner.
typedef void (*ls_release)(void *box);

#define LS_UNLIMITED INT64_MAX

// The remaining budget of one call; carried across the slices of a coroutine.
typedef struct ls_budget {
  int64_t instructions;
  int64_t cpu_ns;
  int64_t deadline_ns;  // monotonic clock, absolute
  int64_t memory;
} ls_budget;

// Interrupt flags outlive the state, so they are allocated separately.
ls_flag *ls_flag_new(void);
void ls_flag_free(ls_flag *flag);
void ls_flag_raise(ls_flag *flag);
void ls_flag_clear(ls_flag *flag);
int ls_flag_raised(const ls_flag *flag);

ls_vm *ls_open(int profile, uint64_t seed, int64_t memory, ls_flag *flag, void *context,
               ls_body body, ls_release release);
void ls_close(ls_vm *vm);
lua_State *ls_main(ls_vm *vm);
int64_t ls_memory_used(const ls_vm *vm);
int64_t ls_now_ns(void);

// Runs. Arm before and disarm after the outermost entry; ls_disarm writes the remaining budget.
void ls_arm(ls_vm *vm, const ls_budget *budget);
void ls_disarm(ls_vm *vm, ls_budget *budget);
int ls_abort_reason(const ls_vm *vm);
bool ls_pay_from_host(ls_vm *vm, int64_t steps);

// The place of the last error; valid until the next run.
int ls_error_line(const ls_vm *vm);
const char *ls_error_source(const ls_vm *vm);
const char *ls_error_traceback(const ls_vm *vm);

int ls_load(ls_vm *vm, lua_State *L, const char *text, size_t length, const char *name);
int ls_call(ls_vm *vm, lua_State *L, int arguments);
int ls_resume(ls_vm *vm, lua_State *thread, int arguments, int *results, bool raising);

// Makes a new environment and leaves it on the stack. A sealed one refuses all writes, also to its libraries.
void ls_push_environment(lua_State *L, bool sealed);
// Pushes the table that a sealed environment shows, or the environment itself.
void ls_push_backing(lua_State *L, int index);
// Restarts the series of math.random; call it only between runs, when nothing can jump.
void ls_seed(lua_State *L, uint64_t seed);
// Pops a value and adds it to all environments that are made later.
void ls_add_to_environments(lua_State *L, const char *name, size_t length);

// Pops the function that explains unknown names: it gets the name, a list of the existing names, and the library's name
// or nil, and returns the message. Set it before the first environment is made.
void ls_keep_explanation(lua_State *L);
// Declares a global of the environment at `index`, or of the table that a sealed one shows, even if its value is nil.
void ls_declare(lua_State *L, int index, const char *name, size_t length);

// Host functions and objects.
void ls_push_function(lua_State *L, void *box);
// Returns the box of a function of the host; NULL for any other value.
void *ls_function_box(lua_State *L, int index);
// Pops a table of methods; the function looks there before it calls the body.
void ls_push_index_function(lua_State *L, void *box);
void ls_push_object(lua_State *L, void *box);  // pops the metatable
void *ls_object_box(lua_State *L, int index);  // NULL if it is no host object
void ls_mark_object_metatable(lua_State *L);   // of the table on top
// Objects by identity, for as long as Lua keeps them. Each pops a key; the second leaves the object below it.
void *ls_push_identified(lua_State *L);  // NULL, with nothing pushed, if there is none
void ls_identify(lua_State *L);
void ls_forget_identities(lua_State *L);

// Tables whose fields Swift writes at their first use, with the function that ls_open_deferred pops. It gets the table,
// and the name unless all fields are needed. Only for profiles without raw access. `bytes` counts towards Lua's memory.
enum { LS_LONGEST_FIELD = 64 };
void ls_open_deferred(lua_State *L);
void ls_push_deferred(lua_State *L, void *box, size_t bytes);
void *ls_deferred(lua_State *L, int index);       // NULL if no field is pending
void ls_end_deferred(lua_State *L, int index);    // makes it a plain table, or one with known names
// Pops a table whose keys are names, and a function that gets any other name and raises. Pushes the metatable of tables
// with these names, and above it that of deferred ones.
void ls_push_known(lua_State *L);

// Receives a part of a text. It must not touch the state.
typedef void (*ls_sink)(void *context, const char *part, size_t count);
// Writes the value on top as JSON, part by part. Returns a status of Lua; an error replaces the value.
int ls_write_json(ls_vm *vm, lua_State *L, const char *name, bool empty_is_list, ls_sink sink,
                  void *context);
void ls_push_null(lua_State *L);
bool ls_is_null(lua_State *L, int index);
void ls_push_array_metatable(lua_State *L);
void ls_where(lua_State *L, int level, int *line, char *source, size_t capacity);

// Tools. A line function is called before each line of a script, with the thread that runs. It leaves the stack as it
// is. False stops the run. NULL ends it; both take effect with the next run.
typedef bool (*ls_line_body)(void *context, lua_State *L, int line);
void ls_watch_lines(ls_vm *vm, ls_line_body body);

// The budget of a run that waits in its line function. Its clocks stand still meanwhile.
typedef struct ls_paused {
  int64_t at_cpu_ns, at_ns;
  int64_t left, unchecked, step, cpu_limit, cpu_start, deadline, memory, since_refusal;
  int refusals, caught_memory_errors;
  bool cpu_started, passable;
  ls_line_body body;
  lua_State *waiting;
} ls_paused;
// Pushes a thread in which calls have budgets of their own, until the run goes on.
lua_State *ls_pause(ls_vm *vm, lua_State *L, ls_paused *paused);
void ls_continue(ls_vm *vm, lua_State *L, const ls_paused *paused);

// The frames of a run that waits, from the innermost, 0. A frame in C has the line -1.
typedef struct ls_frame {
  int line, defined_at;
  char name[64];
} ls_frame;
int ls_depth(lua_State *L);
bool ls_frame_at(lua_State *L, int level, ls_frame *frame);
// Tells whether the innermost frame runs a text that was loaded by this name.
bool ls_runs(lua_State *L, const char *name);
// Each pushes a variable and returns its name; NULL, with nothing pushed, if there is none of that number.
const char *ls_push_local(lua_State *L, int level, int number);
const char *ls_push_upvalue(lua_State *L, int level, int number);

// Tells each line of the function on top, and of all functions in it, that has an instruction, maybe repeatedly.
// Returns false if its form is unknown.
typedef void (*ls_code_line)(void *context, int line);
bool ls_code_lines(lua_State *L, ls_code_line found, void *context);

// Pushes the original `tostring`, even if a script replaced its own.
void ls_push_tostring(lua_State *L);

// Tests only: collects all garbage; returns the remaining bytes.
int64_t ls_collect(ls_vm *vm);
// Tests only: refuses the k-th growing allocation of a script (0: none).
void ls_fail_allocation(ls_vm *vm, int64_t k);
int64_t ls_allocation_count(const ls_vm *vm);
// Tests only: stock `string` functions under their own names, for comparison with ours.
void ls_push_stock_string(lua_State *L);

// Lua macros that Swift cannot import.
static inline void ls_pop(lua_State *L, int n) { lua_settop(L, -n - 1); }
static inline int ls_upvalue(int i) { return lua_upvalueindex(i); }
static inline int ls_registry(void) { return LUA_REGISTRYINDEX; }
static inline int ls_absolute(lua_State *L, int i) { return lua_absindex(L, i); }
static inline int ls_ref(lua_State *L) { return luaL_ref(L, LUA_REGISTRYINDEX); }
static inline void ls_unref(lua_State *L, int ref) { luaL_unref(L, LUA_REGISTRYINDEX, ref); }
static inline int ls_push_ref(lua_State *L, int ref) {
  return lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
}
static inline lua_Number ls_number(lua_State *L, int i) { return lua_tonumberx(L, i, NULL); }
static inline lua_Integer ls_integer(lua_State *L, int i) { return lua_tointegerx(L, i, NULL); }
static inline const char *ls_type_name(lua_State *L, int i) { return luaL_typename(L, i); }

#endif
