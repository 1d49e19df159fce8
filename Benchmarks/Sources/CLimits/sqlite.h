#ifndef CLIMITS_SQLITE_H
#define CLIMITS_SQLITE_H

#include "common.h"
#include <sqlite3.h>

/// The prepared statements of a file.
enum {
  BEGIN, BEGIN_IMMEDIATE, COMMIT, ROLLBACK,
  ACCOUNT_OF_IDENTITY, IDENTITIES, FACTORS,
  STATE, NEXT_POSITION, ADD_IDENTITY, REMOVE_IDENTITY, TOUCH,
  ADD_EVENT, ADD_EVENT_ACCOUNT, ADD_OUTBOX,
  MOVE_IDENTITY, DELETE_ACCOUNT, DELETE_RECORDS, ADD_ALIAS, ADD_MERGE,
  PAGE, PAGE_IDENTITIES, PAGE_FACTORS, ADD_ACCOUNT,
  STATEMENTS
};

struct LimitsFile {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  LimitsCopy copy;
  char last[29];
};

static inline int failed(LimitsFile *file) { return limits_fail("SQLite", sqlite3_errmsg(file->database)); }

/// Runs statements without results.
static inline int execute(LimitsFile *file, const char *sql) {
  return sqlite3_exec(file->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(file);
}

static inline void text(sqlite3_stmt *statement, int place, const char *value) {
  sqlite3_bind_text(statement, place, value, -1, SQLITE_STATIC);
}

/// Runs a statement without rows, and resets it for its next use.
static inline int run(LimitsFile *file, int which) {
  int code = sqlite3_step(file->statements[which]);
  if (code == SQLITE_ROW) code = SQLITE_DONE;
  sqlite3_reset(file->statements[which]);
  return code == SQLITE_DONE ? 0 : failed(file);
}

/// Adds an identity that has a secret, or otherwise a name and a photo.
int limits_file_add_identity(
  LimitsFile *file, const char *uid, int position, const char *provider, const char *subject,
  const LimitsAccount *account, const char *secret
);
/// Adds an event about one account or two; its ID goes to `id`.
int limits_file_add_event(
  LimitsFile *file, const char *uid, const char *other, const char *action, LimitsTexts lengths, char id[17]
);

#endif
