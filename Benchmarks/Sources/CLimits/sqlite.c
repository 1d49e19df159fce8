#include "sqlite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_COLUMNS \
  "position, provider, issuer, subject, email, display_name, photo_url, phone, email_verified, origin, " \
  "linked_at, last_sign_in_at, secret, secret_changed_at, screen_name, language, date_of_birth, successor, " \
  "rekey, replaced_until, former_place"
#define FACTOR_COLUMNS "id, phone, display_name, enrolled_at, secret, secret_changed_at"
#define INSERT_IDENTITY \
  "INSERT INTO identities (project, tenant, uid, position, provider, issuer, subject, email, display_name, " \
  "photo_url, email_verified, origin, linked_at, secret, secret_changed_at) " \
  "VALUES ('" LIMITS_PROJECT "', '', ?, ?, ?, '', ?, ?, ?, ?, ?, 'credential', ?, ?, ?)"

static const char *const texts[STATEMENTS] = {
  [BEGIN] = "BEGIN",
  [BEGIN_IMMEDIATE] = "BEGIN IMMEDIATE",
  [COMMIT] = "COMMIT",
  [ROLLBACK] = "ROLLBACK",
  [ACCOUNT_OF_IDENTITY] =
    "SELECT " ACCOUNT_COLUMNS " FROM identities AS i "
    "JOIN accounts AS a ON a.project = i.project AND a.tenant = i.tenant AND a.uid = i.uid "
    "WHERE i.project = '" LIMITS_PROJECT "' AND i.tenant = '' AND i.provider = ? AND i.subject = ? "
    "AND i.issuer = ''",
  [IDENTITIES] = "SELECT " IDENTITY_COLUMNS " FROM identities WHERE " HERE " AND uid = ? ORDER BY position",
  [FACTORS] = "SELECT " FACTOR_COLUMNS " FROM second_factors WHERE " HERE " AND uid = ? ORDER BY position",
  [STATE] = "SELECT disabled, revision FROM accounts WHERE " HERE " AND uid = ?",
  [NEXT_POSITION] = "SELECT max(position) + 1 FROM identities WHERE " HERE " AND uid = ?",
  [ADD_IDENTITY] = INSERT_IDENTITY,
  [REMOVE_IDENTITY] =
    "DELETE FROM identities WHERE " HERE " AND uid = ?1 AND position = ?2 "
    "AND (SELECT count(*) FROM identities WHERE " HERE " AND uid = ?1) > 1",
  [TOUCH] = "UPDATE accounts SET revision = revision + 1 WHERE " HERE " AND uid = ?",
  [ADD_EVENT] =
    "INSERT INTO events (project, tenant, id, at, actor, action, account, details, trace) "
    "VALUES ('" LIMITS_PROJECT "', '', ?, ?, ?, ?, ?, ?, ?)",
  [ADD_EVENT_ACCOUNT] =
    "INSERT INTO event_accounts (project, tenant, uid, sequence) VALUES ('" LIMITS_PROJECT "', '', ?, ?)",
  [ADD_OUTBOX] = "INSERT INTO outbox (sequence) VALUES (?)",
  [MOVE_IDENTITY] =
    "UPDATE identities SET uid = ?, position = ? WHERE " HERE " AND uid = ? AND position = ?",
  [DELETE_ACCOUNT] = "DELETE FROM accounts WHERE " HERE " AND uid = ?",
  [DELETE_RECORDS] = "DELETE FROM one_time_records WHERE " HERE " AND account = ?",
  [ADD_ALIAS] =
    "INSERT INTO aliases (project, tenant, absorbed, survivor) VALUES ('" LIMITS_PROJECT "', '', ?, ?)",
  [ADD_MERGE] =
    "INSERT INTO merges (project, tenant, id, at, survivor, absorbed, state, json) "
    "VALUES ('" LIMITS_PROJECT "', '', ?, ?, ?, ?, 'standing', ?)",
  [PAGE] = "SELECT " ACCOUNT_COLUMNS " FROM accounts AS a WHERE " HERE " AND uid > ? ORDER BY uid LIMIT 1000",
  [PAGE_IDENTITIES] =
    "SELECT uid, " IDENTITY_COLUMNS " FROM identities WHERE " HERE " AND uid > ? AND uid <= ? "
    "ORDER BY uid, position",
  [PAGE_FACTORS] =
    "SELECT uid, " FACTOR_COLUMNS " FROM second_factors WHERE " HERE " AND uid > ? AND uid <= ? "
    "ORDER BY uid, position",
  [ADD_ACCOUNT] =
    "INSERT INTO accounts (project, tenant, uid, revision, email, email_canonical, email_verified, "
    "verified_email, display_name, photo_url, disabled, is_anonymous, created_at) "
    "VALUES ('" LIMITS_PROJECT "', '', ?1, 1, ?2, ?2, 1, ?2, ?3, ?4, 0, 0, ?5)",
};

LimitsFile *limits_file_open(const char *path, int cache, int64_t mapped, int durable) {
  LimitsFile *file = calloc(1, sizeof *file);
  if (sqlite3_open_v2(path, &file->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
    failed(file);
    free(file);
    return NULL;
  }
  char pragmas[240];
  snprintf(
    pragmas, sizeof pragmas,
    "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -%d; "
    "PRAGMA mmap_size = %lld; PRAGMA synchronous = %s; PRAGMA busy_timeout = 10000", cache, (long long)mapped,
    durable ? "FULL" : "NORMAL");
  if (execute(file, pragmas) != 0) {
    limits_file_close(file);
    return NULL;
  }
  for (int i = 0; i < STATEMENTS; i++) {
    if (sqlite3_prepare_v3(
          file->database, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &file->statements[i], NULL)
        != SQLITE_OK) {
      failed(file);
      limits_file_close(file);
      return NULL;
    }
  }
  return file;
}

void limits_file_close(LimitsFile *file) {
  if (!file) return;
  for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(file->statements[i]);
  sqlite3_close(file->database);
  free(file);
}

/// Copies every column of every row; returns the number of rows.
static int keep(LimitsFile *file, int which) {
  sqlite3_stmt *statement = file->statements[which];
  int columns = sqlite3_column_count(statement), rows = 0, code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    rows++;
    for (int i = 0; i < columns; i++) {
      switch (sqlite3_column_type(statement, i)) {
      case SQLITE_INTEGER: {
        sqlite3_int64 value = sqlite3_column_int64(statement, i);
        limits_keep(&file->copy, &value, sizeof value);
        break;
      }
      case SQLITE_NULL: break;
      default: {
        const void *value = sqlite3_column_text(statement, i);
        limits_keep(&file->copy, value, sqlite3_column_bytes(statement, i));
      }
      }
    }
  }
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? rows : failed(file);
}

static int sign_in(LimitsFile *file, const LimitsAccount *account) {
  if (run(file, BEGIN)) return -1;
  sqlite3_stmt *find = file->statements[ACCOUNT_OF_IDENTITY];
  text(find, 1, "google.com");
  text(find, 2, account->google);
  int found = keep(file, ACCOUNT_OF_IDENTITY);
  if (found != 1) return found < 0 ? -1 : limits_fail("SQLite", "an account is not there");
  text(file->statements[IDENTITIES], 1, account->uid);
  text(file->statements[FACTORS], 1, account->uid);
  if (keep(file, IDENTITIES) < 3 || keep(file, FACTORS) < 0) return limits_fail("SQLite", "identities");
  return run(file, COMMIT);
}

int limits_file_add_event(
  LimitsFile *file, const char *uid, const char *other, const char *action, LimitsTexts lengths, char id[17]
) {
  limits_event_id(id);
  sqlite3_stmt *add = file->statements[ADD_EVENT];
  char details[1 << 12];
  snprintf(details, sizeof details, "%s", limits_filler(lengths.details < 4000 ? lengths.details : 4000));
  text(add, 1, id);
  sqlite3_bind_int64(add, 2, LIMITS_TIME);
  text(add, 3, "session");
  text(add, 4, action);
  text(add, 5, uid);
  text(add, 6, details);
  if (lengths.trace) text(add, 7, limits_filler(lengths.trace));
  else sqlite3_bind_null(add, 7);
  if (run(file, ADD_EVENT)) return -1;
  sqlite3_int64 sequence = sqlite3_last_insert_rowid(file->database);
  sqlite3_stmt *involved = file->statements[ADD_EVENT_ACCOUNT];
  for (const char *one = uid; one; one = one == uid ? other : NULL) {
    text(involved, 1, one);
    sqlite3_bind_int64(involved, 2, sequence);
    if (run(file, ADD_EVENT_ACCOUNT)) return -1;
  }
  sqlite3_bind_int64(file->statements[ADD_OUTBOX], 1, sequence);
  return run(file, ADD_OUTBOX);
}

int limits_file_add_identity(
  LimitsFile *file, const char *uid, int position, const char *provider, const char *subject,
  const LimitsAccount *account, const char *secret
) {
  sqlite3_stmt *add = file->statements[ADD_IDENTITY];
  text(add, 1, uid);
  sqlite3_bind_int(add, 2, position);
  text(add, 3, provider);
  text(add, 4, subject);
  text(add, 5, account->email);
  if (secret) {
    sqlite3_bind_null(add, 6);
    sqlite3_bind_null(add, 7);
  } else {
    text(add, 6, account->name);
    text(add, 7, account->photo);
  }
  sqlite3_bind_int(add, 8, 1);
  sqlite3_bind_int64(add, 9, LIMITS_TIME);
  if (secret) {
    text(add, 10, secret);
    sqlite3_bind_int64(add, 11, LIMITS_TIME);
  } else {
    sqlite3_bind_null(add, 10);
    sqlite3_bind_null(add, 11);
  }
  return run(file, ADD_IDENTITY);
}

/// Checks that an account exists and is enabled.
static int check(LimitsFile *file, const char *uid) {
  sqlite3_stmt *state = file->statements[STATE];
  text(state, 1, uid);
  int code = sqlite3_step(state);
  int enabled = code == SQLITE_ROW && sqlite3_column_int(state, 0) == 0;
  sqlite3_reset(state);
  return enabled ? 0 : limits_fail("SQLite", "an account is not there");
}

static int touch(LimitsFile *file, const char *uid) {
  text(file->statements[TOUCH], 1, uid);
  return run(file, TOUCH);
}

static int link(LimitsFile *file, const LimitsAccount *account, LimitsTexts lengths) {
  char id[17];
  if (check(file, account->uid)) return -1;
  sqlite3_stmt *next = file->statements[NEXT_POSITION];
  text(next, 1, account->uid);
  int position = sqlite3_step(next) == SQLITE_ROW ? sqlite3_column_int(next, 0) : 0;
  sqlite3_reset(next);
  const char *uid = account->uid;
  if (limits_file_add_identity(file, uid, position, "github.com", account->github, account, NULL)) return -1;
  if (touch(file, uid)) return -1;
  return limits_file_add_event(file, uid, NULL, "link", lengths, id);
}

static int unlink_identity(LimitsFile *file, const LimitsAccount *account, LimitsTexts lengths) {
  char id[17];
  if (check(file, account->uid)) return -1;
  text(file->statements[REMOVE_IDENTITY], 1, account->uid);
  sqlite3_bind_int(file->statements[REMOVE_IDENTITY], 2, 3);
  if (run(file, REMOVE_IDENTITY)) return -1;
  if (sqlite3_changes(file->database) != 1) return limits_fail("SQLite", "nothing to unlink");
  if (touch(file, account->uid)) return -1;
  return limits_file_add_event(file, account->uid, NULL, "unlink", lengths, id);
}

static int merge(
  LimitsFile *file, const LimitsAccount *survivor, const LimitsAccount *absorbed, LimitsTexts lengths
) {
  char id[17];
  const LimitsAccount *both[2] = {survivor, absorbed};
  for (int i = 0; i < 2; i++) {
    if (check(file, both[i]->uid)) return -1;
    text(file->statements[IDENTITIES], 1, both[i]->uid);
    text(file->statements[FACTORS], 1, both[i]->uid);
    if (keep(file, IDENTITIES) < 0 || keep(file, FACTORS) < 0) return -1;
  }
  sqlite3_stmt *move = file->statements[MOVE_IDENTITY];
  for (int position = 0; position < 3; position++) {
    text(move, 1, survivor->uid);
    sqlite3_bind_int(move, 2, position + 3);
    text(move, 3, absorbed->uid);
    sqlite3_bind_int(move, 4, position);
    if (run(file, MOVE_IDENTITY)) return -1;
  }
  text(file->statements[DELETE_ACCOUNT], 1, absorbed->uid);
  text(file->statements[DELETE_RECORDS], 1, absorbed->uid);
  if (run(file, DELETE_ACCOUNT) || run(file, DELETE_RECORDS) || touch(file, survivor->uid)) return -1;
  text(file->statements[ADD_ALIAS], 1, absorbed->uid);
  text(file->statements[ADD_ALIAS], 2, survivor->uid);
  if (run(file, ADD_ALIAS)) return -1;
  if (limits_file_add_event(file, survivor->uid, absorbed->uid, "merge", lengths, id)) return -1;
  sqlite3_stmt *journal = file->statements[ADD_MERGE];
  text(journal, 1, id);
  sqlite3_bind_int64(journal, 2, LIMITS_TIME);
  text(journal, 3, survivor->uid);
  text(journal, 4, absorbed->uid);
  text(journal, 5, limits_filler(lengths.merge));
  return run(file, ADD_MERGE);
}

/// Reads a page and copies all of it; after the last page it starts again.
static int list(LimitsFile *file) {
  if (run(file, BEGIN)) return -1;
  sqlite3_stmt *page = file->statements[PAGE];
  char first[29];
  memcpy(first, file->last, sizeof first);
  text(page, 1, first);
  int columns = sqlite3_column_count(page), rows = 0, code;
  while ((code = sqlite3_step(page)) == SQLITE_ROW) {
    rows++;
    for (int i = 0; i < columns; i++) {
      const void *value = sqlite3_column_text(page, i);
      if (value) limits_keep(&file->copy, value, sqlite3_column_bytes(page, i));
    }
    snprintf(file->last, sizeof file->last, "%s", (const char *)sqlite3_column_text(page, 0));
  }
  sqlite3_reset(page);
  if (code != SQLITE_DONE) return failed(file);
  for (int which = PAGE_IDENTITIES; which <= PAGE_FACTORS; which++) {
    text(file->statements[which], 1, first);
    text(file->statements[which], 2, file->last);
    if (keep(file, which) < 0) return -1;
  }
  if (rows < 1000) file->last[0] = 0;
  return run(file, COMMIT);
}

int limits_file_run(
  LimitsFile *file, LimitsOperation operation, const uint32_t *numbers, int count, int group,
  LimitsTexts lengths, double *microseconds
) {
  int writes = operation != LIMITS_SIGN_IN && operation != LIMITS_LIST;
  int each = operation == LIMITS_MERGE ? 2 : operation == LIMITS_LIST ? 0 : 1;
  LimitsAccount *accounts = malloc(sizeof(LimitsAccount) * ((size_t)count * each + 1));
  for (int i = 0; i < count * each; i++) accounts[i] = limits_account(numbers[i]);
  int code = 0;
  for (int i = 0; i < count && !code; i += writes ? group : 1) {
    int end = writes ? (i + group < count ? i + group : count) : i + 1;
    double start = limits_now();
    if (writes) code = run(file, BEGIN_IMMEDIATE);
    for (int j = i; j < end && !code; j++) {
      const LimitsAccount *one = &accounts[j * each];
      switch (operation) {
      case LIMITS_SIGN_IN: code = sign_in(file, one); break;
      case LIMITS_LINK: code = link(file, one, lengths); break;
      case LIMITS_UNLINK: code = unlink_identity(file, one, lengths); break;
      case LIMITS_MERGE: code = merge(file, one, one + 1, lengths); break;
      default: code = list(file);
      }
    }
    if (writes && !code) code = run(file, COMMIT);
    double took = (limits_now() - start) / (end - i);
    for (int j = i; j < end; j++) microseconds[j] = took;
  }
  if (code && sqlite3_get_autocommit(file->database) == 0) {
    sqlite3_step(file->statements[ROLLBACK]);
    sqlite3_reset(file->statements[ROLLBACK]);
  }
  free(accounts);
  return code;
}
