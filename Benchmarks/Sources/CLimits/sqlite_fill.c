#include "sqlite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char uid[29];
  uint32_t number;
} Place;

static int byUID(const void *a, const void *b) {
  return strcmp(((const Place *)a)->uid, ((const Place *)b)->uid);
}

static int add_account(LimitsFile *file, const LimitsAccount *account, int events) {
  sqlite3_stmt *add = file->statements[ADD_ACCOUNT];
  text(add, 1, account->uid);
  text(add, 2, account->email);
  text(add, 3, account->name);
  text(add, 4, account->photo);
  sqlite3_bind_int64(add, 5, LIMITS_TIME);
  if (run(file, ADD_ACCOUNT)) return -1;
  const char *uid = account->uid;
  if (limits_file_add_identity(file, uid, 0, "google.com", account->google, account, NULL)) return -1;
  if (limits_file_add_identity(file, uid, 1, "facebook.com", account->facebook, account, NULL)) return -1;
  if (limits_file_add_identity(file, uid, 2, "password", account->email, account, account->secret)) return -1;
  LimitsTexts lengths = {.details = 14, .trace = 0, .merge = 0};
  char id[17];
  return events ? limits_file_add_event(file, uid, NULL, "import", lengths, id) : 0;
}

static const char secondary[] =
  "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";

/// Returns the accounts in the order of their uids.
static Place *sorted(uint32_t count) {
  Place *places = malloc(sizeof(Place) * (size_t)count);
  for (uint32_t i = 0; i < count; i++) {
    LimitsAccount account = limits_account(i);
    memcpy(places[i].uid, account.uid, sizeof account.uid);
    places[i].number = i;
  }
  qsort(places, count, sizeof(Place), byUID);
  return places;
}

/// Adds the account of each place, `together` of them in a transaction.
static int add_all(LimitsFile *file, const Place *places, uint32_t count, int events, uint32_t together) {
  int code = 0;
  for (uint32_t i = 0; i < count && !code; i++) {
    if (i % together == 0) code = run(file, BEGIN_IMMEDIATE);
    LimitsAccount account = limits_account(places[i].number);
    if (!code) code = add_account(file, &account, events);
    if (!code && (i % together == together - 1 || i == count - 1)) code = run(file, COMMIT);
  }
  return code;
}

int limits_file_import(LimitsFile *file, uint32_t count) {
  Place *places = sorted(count);
  int code = execute(file, "PRAGMA wal_autocheckpoint = 65536");
  if (!code) code = add_all(file, places, count, 1, 10000);
  if (!code) code = execute(file, "PRAGMA wal_checkpoint(TRUNCATE)");
  free(places);
  return code;
}

int limits_file_fill(LimitsFile *file, uint32_t count, int events) {
  Place *places = sorted(count);
  // Indexes with another order are made after all rows.
  char *names[32], *sql[32];
  int indexes = 0, code = 0;
  sqlite3_stmt *list;
  if (sqlite3_prepare_v2(file->database, secondary, -1, &list, NULL) != SQLITE_OK) return failed(file);
  while (sqlite3_step(list) == SQLITE_ROW && indexes < 32) {
    names[indexes] = strdup((const char *)sqlite3_column_text(list, 0));
    sql[indexes++] = strdup((const char *)sqlite3_column_text(list, 1));
  }
  sqlite3_finalize(list);
  for (int i = 0; i < indexes && !code; i++) {
    char drop[200];
    snprintf(drop, sizeof drop, "DROP INDEX %s", names[i]);
    code = execute(file, drop);
  }
  if (!code) code = add_all(file, places, count, events, 1000);
  for (int i = 0; i < indexes; i++) {
    if (!code) code = execute(file, sql[i]);
    free(names[i]);
    free(sql[i]);
  }
  free(places);
  if (!code) code = execute(file, "ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  return code;
}
