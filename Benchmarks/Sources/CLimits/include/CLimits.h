// The measured operations in C: the limits with which the stores are compared.
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

/// The lengths of the texts that an event keeps of a decision.
typedef struct {
  int details;
  int trace;
  int merge;
} LimitsTexts;

// Every function returns 0, or -1 after a failure, which `limits_error` describes.

const char *limits_error(void);

// Passwords: one hash, and one check against a stored hash of crypt(3).

int limits_argon2id(uint32_t iterations, uint32_t kibibytes, uint32_t parallelism, const char *password,
                    const uint8_t *salt, size_t length);
int limits_crypt(const char *password, const char *stored);

// SQLite, on the tables of an existing store.

typedef struct LimitsFile LimitsFile;

/// `cache` is in KiB, `mapped` in bytes; commits wait for the disk if `durable` is not 0.
LimitsFile *limits_file_open(const char *path, int cache, int64_t mapped, int durable);
void limits_file_close(LimitsFile *file);
/// Fills empty tables in order of uid, a thousand accounts a transaction, and makes the secondary indexes afterwards.
///
/// With `events`, each account has an event as an import writes it.
int limits_file_fill(LimitsFile *file, uint32_t count, int events);
/// Fills empty tables in order of uid, with indexes in place and an event for each account, ten thousand accounts a
/// transaction. The log may grow to 65,536 pages.
int limits_file_import(LimitsFile *file, uint32_t count);
/// Performs an operation on accounts one after another; operations that write put `group` accounts into a transaction.
/// LIST reads pages of 1000 and ignores `numbers`. MERGE takes two numbers each, with the survivor's first.
int limits_file_run(
  LimitsFile *file, LimitsOperation operation, const uint32_t *numbers, int count, int group,
  LimitsTexts texts, double *microseconds);

// PostgreSQL.

typedef struct LimitsServer LimitsServer;

LimitsServer *limits_server_open(const char *url, const char *schema);
void limits_server_close(LimitsServer *server);
/// Fills empty tables by COPY, and makes the secondary indexes afterwards.
///
/// With `events`, each account has an event as an import writes it; without, the planner gets statistics of the tables.
int limits_server_fill(LimitsServer *server, uint32_t count, int events);
/// Each change is one statement, and a merge is two exchanges of a pipeline. With `asks`, a link and an unlink are two
/// exchanges as well: the reads of the decision in a serialisable transaction, and the change with its commit.
int limits_server_run(
  LimitsServer *server, LimitsOperation operation, const uint32_t *numbers, int count, int asks,
  LimitsTexts texts, double *microseconds);

// Lua: a merge policy.

typedef struct LimitsPolicy LimitsPolicy;

/// Compiles a policy file, in a state without limits.
LimitsPolicy *limits_policy_open(const char *text);
void limits_policy_close(LimitsPolicy *policy);
/// Calls `decide` on two accounts that both have proof; returns -1 if it does not merge them.
int limits_policy_decide(
  LimitsPolicy *policy, const LimitsAccount *current, const LimitsAccount *existing);

// Memory: accounts and identities in open hash tables.

typedef struct LimitsMemory LimitsMemory;

LimitsMemory *limits_memory_make(uint32_t count);
void limits_memory_free(LimitsMemory *memory);
int limits_memory_run(
  LimitsMemory *memory, const uint32_t *numbers, int count, double *microseconds);

#endif
