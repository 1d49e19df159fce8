// What a C program needs for the operations that are measured: the limits that the stores are compared with.
//
// The workload: an account is a function of its number. It has a uid of 28 letters and digits, an address, a name, a
// picture, and three identities: google.com with 21 digits, facebook.com with 16, and a password with an encoded hash.
#ifndef CLIMITS_H
#define CLIMITS_H

#include <stddef.h>
#include <stdint.h>

#define LIMITS_PROJECT "bench"

/// The texts of an account.
typedef struct {
  char uid[29];
  char email[40];
  char name[40];
  char photo[64];
  char google[22];
  char facebook[17];
  char secret[89];
  /// The subject of the identity that is linked and unlinked.
  char github[22];
} LimitsAccount;

LimitsAccount limits_account(uint32_t number);

typedef enum {
  LIMITS_SIGN_IN = 0,
  LIMITS_LINK = 1,
  LIMITS_UNLINK = 2,
  LIMITS_MERGE = 3,
  LIMITS_LIST = 4,
} LimitsOperation;

/// How long the texts are that an event keeps of a decision.
typedef struct {
  int details;
  int trace;
  int merge;
} LimitsTexts;

// Every function returns 0, or -1 where something failed, which `limits_error` tells.

const char *limits_error(void);

// Passwords: one hash, and one check against a stored hash of crypt(3).

int limits_argon2id(uint32_t iterations, uint32_t kibibytes, uint32_t parallelism, const char *password,
                    const uint8_t *salt, size_t length);
int limits_crypt(const char *password, const char *stored);

// SQLite, on the tables of a store that was made already.

typedef struct LimitsFile LimitsFile;

/// `cache` is in KiB, and what may be `mapped` in bytes; commits wait for the disk where `durable` is not 0.
LimitsFile *limits_file_open(const char *path, int cache, int64_t mapped, int durable);
void limits_file_close(LimitsFile *file);
/// Fills empty tables in order of uid, a thousand accounts a transaction, and makes the secondary indexes afterwards.
///
/// With `events`, each account has an event as an import writes it.
int limits_file_fill(LimitsFile *file, uint32_t count, int events);
/// Fills empty tables in order of uid, with their indexes in place and an event each, ten thousand accounts a
/// transaction; the log may have 65,536 pages meanwhile.
int limits_file_import(LimitsFile *file, uint32_t count);
/// Does an operation on accounts one after another; each takes `group` of them into a transaction where it writes.
/// LIST takes pages of 1000, and `numbers` is of no use to it. MERGE takes two numbers each: the survivor's first.
int limits_file_run(
  LimitsFile *file, LimitsOperation operation, const uint32_t *numbers, int count, int group,
  LimitsTexts texts, double *microseconds);

// PostgreSQL.

typedef struct LimitsServer LimitsServer;

LimitsServer *limits_server_open(const char *url, const char *schema);
void limits_server_close(LimitsServer *server);
/// Fills empty tables by COPY, and makes the secondary indexes afterwards.
///
/// With `events`, each account has an event as an import writes it; without, the planner is told of the tables.
int limits_server_fill(LimitsServer *server, uint32_t count, int events);
/// Each change is one statement, and a merge two exchanges of a pipeline; with `asks`, a link and an unlink are two
/// exchanges as well: what the decision needs in a serialisable transaction, and the change with its commit.
int limits_server_run(
  LimitsServer *server, LimitsOperation operation, const uint32_t *numbers, int count, int asks,
  LimitsTexts texts, double *microseconds);

// Lua: a merge policy.

typedef struct LimitsPolicy LimitsPolicy;

/// Compiles a policy file, in a state without limits.
LimitsPolicy *limits_policy_open(const char *text);
void limits_policy_close(LimitsPolicy *policy);
/// Calls `decide` on two accounts that both have proof; -1 where it does not merge them.
int limits_policy_decide(
  LimitsPolicy *policy, const LimitsAccount *current, const LimitsAccount *existing);

// Memory: accounts and identities in open hash tables.

typedef struct LimitsMemory LimitsMemory;

LimitsMemory *limits_memory_make(uint32_t count);
void limits_memory_free(LimitsMemory *memory);
int limits_memory_run(
  LimitsMemory *memory, const uint32_t *numbers, int count, double *microseconds);

#endif
