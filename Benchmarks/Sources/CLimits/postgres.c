#include "postgres.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_COLUMNS \
  "o.position, o.provider, o.issuer, o.subject, o.email, o.display_name, o.photo_url, o.phone, " \
  "o.email_verified, o.origin, o.linked_at, o.last_sign_in_at, o.secret, o.secret_changed_at, " \
  "o.screen_name, o.language, o.date_of_birth, o.successor, o.rekey, o.replaced_until, o.former_place"
#define OWN_FACTORS \
  "(SELECT count(*) FROM second_factors AS f WHERE f.project = a.project AND f.tenant = a.tenant AND f.uid = a.uid)"
#define SEQUENCE \
  "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000000) AS BIGINT) * 1024 " \
  "+ CAST(floor(random() * 1024) AS BIGINT)"
#define LATEST(uid) \
  "(SELECT max(sequence) + 1 FROM event_accounts WHERE " HERE " AND uid = " uid ")"
#define EVENT(action, from) \
  "event AS (INSERT INTO events (sequence, project, tenant, id, at, actor, action, account, details, trace) " \
  "SELECT greatest(" SEQUENCE ", " LATEST("$1") "), '" LIMITS_PROJECT "', '', $2, 1700000000000, 'session', " \
  "'" action "', $1, $3, $4 FROM " from " RETURNING sequence), " \
  "involved AS (INSERT INTO event_accounts (project, tenant, uid, sequence) " \
  "SELECT '" LIMITS_PROJECT "', '', $1, sequence FROM event) " \
  "INSERT INTO outbox (event_project, event_tenant, sequence) " \
  "SELECT '" LIMITS_PROJECT "', '', sequence FROM event"

static const char *const prepared[][2] = {
  {"signin",
   "SELECT " ACCOUNT_COLUMNS ", " IDENTITY_COLUMNS ", " OWN_FACTORS " FROM identities AS i "
   "JOIN accounts AS a ON a.project = i.project AND a.tenant = i.tenant AND a.uid = i.uid "
   "JOIN identities AS o ON o.project = i.project AND o.tenant = i.tenant AND o.uid = i.uid "
   "WHERE i.project = '" LIMITS_PROJECT "' AND i.tenant = '' AND i.provider = 'google.com' "
   "AND i.subject = $1 AND i.issuer = '' ORDER BY o.position"},
  {"link",
   "WITH account AS (UPDATE accounts SET revision = revision + 1 WHERE " HERE " AND uid = $1 AND disabled = 0 "
   "RETURNING uid), identity AS (INSERT INTO identities (project, tenant, uid, position, provider, issuer, "
   "subject, email, display_name, photo_url, email_verified, origin, linked_at) "
   "SELECT '" LIMITS_PROJECT "', '', $1, (SELECT max(position) + 1 FROM identities WHERE " HERE " AND uid = $1), "
   "'github.com', '', $5, $6, $7, $8, 1, 'credential', 1700000000000 FROM account RETURNING uid), "
   EVENT("link", "identity")},
  {"unlink",
   "WITH account AS (UPDATE accounts SET revision = revision + 1 WHERE " HERE " AND uid = $1 AND disabled = 0 "
   "RETURNING uid), identity AS (DELETE FROM identities WHERE " HERE " AND uid = $1 AND position = 3 "
   "AND (SELECT count(*) FROM identities WHERE " HERE " AND uid = $1) > 1 RETURNING uid), "
   EVENT("unlink", "identity")},
  {"settings", "SELECT json FROM settings WHERE " HERE},
  {"owner",
   "SELECT uid FROM identities WHERE " HERE " AND provider = 'github.com' AND subject = $1 AND issuer = ''"},
  {"look",
   "SELECT " ACCOUNT_COLUMNS ", " IDENTITY_COLUMNS ", " OWN_FACTORS " FROM accounts AS a "
   "JOIN identities AS o ON o.project = a.project AND o.tenant = a.tenant AND o.uid = a.uid "
   "WHERE a.project = '" LIMITS_PROJECT "' AND a.tenant = '' AND a.uid = $1 ORDER BY o.position"},
  {"move",
   "UPDATE identities SET uid = $1, position = position + 3 WHERE " HERE " AND uid = $2"},
  {"delete", "DELETE FROM accounts WHERE " HERE " AND uid = $1"},
  {"records", "DELETE FROM one_time_records WHERE " HERE " AND account = $1"},
  {"touch", "UPDATE accounts SET revision = revision + 1 WHERE " HERE " AND uid = $1"},
  {"alias", "INSERT INTO aliases VALUES ('" LIMITS_PROJECT "', '', $1, $2)"},
  {"event",
   "WITH event AS (INSERT INTO events (sequence, project, tenant, id, at, actor, action, account, details, trace) "
   "SELECT greatest(" SEQUENCE ", " LATEST("$1") ", " LATEST("$5") "), '" LIMITS_PROJECT "', '', $2, "
   "1700000000000, 'admin', 'merge', $1, $3, $4 RETURNING sequence), "
   "involved AS (INSERT INTO event_accounts (project, tenant, uid, sequence) "
   "SELECT '" LIMITS_PROJECT "', '', one, sequence FROM event, (VALUES ($1), ($5)) AS pair(one)) "
   "INSERT INTO outbox (event_project, event_tenant, sequence) "
   "SELECT '" LIMITS_PROJECT "', '', sequence FROM event"},
  {"merge",
   "INSERT INTO merges (project, tenant, id, at, survivor, absorbed, state, json) "
   "VALUES ('" LIMITS_PROJECT "', '', $1, 1700000000000, $2, $3, 'standing', $4)"},
  {"page",
   "SELECT " ACCOUNT_COLUMNS " FROM accounts AS a WHERE " HERE " AND uid > $1 ORDER BY uid LIMIT 1000"},
  {"identities",
   "SELECT uid, " IDENTITY_COLUMNS " FROM identities AS o WHERE " HERE " AND uid > $1 AND uid <= $2 "
   "ORDER BY uid, position"},
};

int limits_server_failed(LimitsServer *server) {
  return limits_fail("PostgreSQL", PQerrorMessage(server->connection));
}

int limits_server_execute(LimitsServer *server, const char *sql) {
  PGresult *result = PQexec(server->connection, sql);
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? 0 : limits_server_failed(server);
}

LimitsServer *limits_server_open(const char *url, const char *schema) {
  LimitsServer *server = calloc(1, sizeof *server);
  server->connection = PQconnectdb(url);
  char path[100];
  // A plan that was made for an empty table would scan all of it later.
  snprintf(path, sizeof path, "SET search_path TO %s; SET enable_seqscan = off", schema);
  int code = PQstatus(server->connection) == CONNECTION_OK ? limits_server_execute(server, path) : limits_server_failed(server);
  for (size_t i = 0; !code && i < sizeof prepared / sizeof *prepared; i++) {
    PGresult *result = PQprepare(server->connection, prepared[i][0], prepared[i][1], 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) code = limits_server_failed(server);
    PQclear(result);
  }
  if (code) {
    limits_server_close(server);
    return NULL;
  }
  return server;
}

void limits_server_close(LimitsServer *server) {
  if (!server) return;
  PQfinish(server->connection);
  free(server);
}

static int keep(LimitsServer *server, PGresult *result) {
  int rows = PQntuples(result), columns = PQnfields(result);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++)
      if (!PQgetisnull(result, row, column))
        limits_keep(&server->copy, PQgetvalue(result, row, column), PQgetlength(result, row, column));
  return rows;
}

/// Records whether a failure is transient.
static void look_at_failure(LimitsServer *server, const PGresult *result) {
  const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  // Another writer of a serialisable transaction was faster, or took the same key.
  if (state && (strcmp(state, "23505") == 0 || strcmp(state, "40001") == 0)) server->isTaken = 1;
}

/// Runs a prepared statement; returns the number of rows read or changed, -1 after a failure.
static int ask(LimitsServer *server, const char *name, int count, const char *const *values) {
  PGresult *result = PQexecPrepared(server->connection, name, count, values, NULL, NULL, 0);
  int rows = -1;
  switch (PQresultStatus(result)) {
  case PGRES_TUPLES_OK: rows = keep(server, result); break;
  case PGRES_COMMAND_OK: rows = atoi(PQcmdTuples(result)); break;
  default:
    look_at_failure(server, result);
    limits_server_failed(server);
  }
  PQclear(result);
  return rows;
}

static int send_one(LimitsServer *server, const char *name, int count, const char *const *values) {
  return PQsendQueryPrepared(server->connection, name, count, values, NULL, NULL, 0) == 1 ? 0 : limits_server_failed(server);
}

static int send_text(LimitsServer *server, const char *sql) {
  return PQsendQueryParams(server->connection, sql, 0, NULL, NULL, NULL, NULL, 0) == 1 ? 0 : limits_server_failed(server);
}

/// Ends the request, and reads all answers.
static int receive(LimitsServer *server) {
  if (PQpipelineSync(server->connection) != 1) return limits_server_failed(server);
  int code = 0, isOver = 0;
  while (!isOver) {
    PGresult *result = PQgetResult(server->connection);
    if (!result) continue;
    switch (PQresultStatus(result)) {
    case PGRES_PIPELINE_SYNC: isOver = 1; break;
    case PGRES_TUPLES_OK: keep(server, result); break;
    case PGRES_COMMAND_OK: break;
    default:
      look_at_failure(server, result);
      if (!code) code = limits_fail("PostgreSQL", PQresultErrorMessage(result));
      if (PQstatus(server->connection) != CONNECTION_OK) isOver = 1;
    }
    PQclear(result);
  }
  return code;
}

static int merge(
  LimitsServer *server, const LimitsAccount *survivor, const LimitsAccount *absorbed, LimitsTexts lengths
) {
  char id[17], details[1 << 12], trace[1 << 15];
  limits_event_id(id);
  snprintf(details, sizeof details, "%s", limits_filler(lengths.details < 4000 ? lengths.details : 4000));
  snprintf(trace, sizeof trace, "%s", limits_filler(lengths.trace < 32000 ? lengths.trace : 32000));
  const char *one[] = {survivor->uid}, *two[] = {absorbed->uid};
  if (PQenterPipelineMode(server->connection) != 1) return limits_server_failed(server);
  int code = send_text(server, "BEGIN") || send_one(server, "look", 1, one) || send_one(server, "look", 1, two)
    || receive(server);
  if (!code) {
    const char *both[] = {survivor->uid, absorbed->uid}, *alias[] = {absorbed->uid, survivor->uid};
    const char *event[] = {survivor->uid, id, details, trace, absorbed->uid};
    const char *journal[] = {id, survivor->uid, absorbed->uid, limits_filler(lengths.merge)};
    code = send_one(server, "move", 2, both) || send_one(server, "delete", 1, two)
      || send_one(server, "records", 1, two) || send_one(server, "touch", 1, one)
      || send_one(server, "alias", 2, alias) || send_one(server, "event", 5, event)
      || send_one(server, "merge", 4, journal) || send_text(server, "COMMIT") || receive(server);
  }
  PQexitPipelineMode(server->connection);
  if (code) PQclear(PQexec(server->connection, "ROLLBACK"));
  return code ? -1 : 0;
}

static int list(LimitsServer *server) {
  char first[29];
  memcpy(first, server->last, sizeof first);
  const char *from[] = {first};
  PGresult *result = PQexecPrepared(server->connection, "page", 1, from, NULL, NULL, 0);
  if (PQresultStatus(result) != PGRES_TUPLES_OK) {
    PQclear(result);
    return limits_server_failed(server);
  }
  int rows = keep(server, result);
  if (rows > 0) snprintf(server->last, sizeof server->last, "%s", PQgetvalue(result, rows - 1, 0));
  PQclear(result);
  const char *range[] = {first, server->last};
  if (ask(server, "identities", 2, range) < 0) return -1;
  if (rows < 1000) server->last[0] = 0;
  return 0;
}

/// Reads in one exchange what the decision needs, and changes and commits in another.
static int change_in_transaction(
  LimitsServer *server, const char *name, const LimitsAccount *account, int count, const char *const *values
) {
  const char *uid[] = {account->uid}, *subject[] = {account->github};
  if (PQenterPipelineMode(server->connection) != 1) return limits_server_failed(server);
  int code = send_text(server, "BEGIN ISOLATION LEVEL SERIALIZABLE") || send_one(server, "settings", 0, NULL)
    || send_one(server, "look", 1, uid) || send_one(server, "owner", 1, subject) || receive(server)
    || send_one(server, name, count, values) || send_text(server, "COMMIT") || receive(server);
  PQexitPipelineMode(server->connection);
  if (code) PQclear(PQexec(server->connection, "ROLLBACK"));
  return code ? -1 : 0;
}

static int change(
  LimitsServer *server, const char *name, const LimitsAccount *account, int asks, LimitsTexts lengths
) {
  char id[17], details[1 << 12];
  limits_event_id(id);
  snprintf(details, sizeof details, "%s", limits_filler(lengths.details < 4000 ? lengths.details : 4000));
  const char *trace = lengths.trace ? limits_filler(lengths.trace) : NULL;
  const char *values[] = {
    account->uid, id, details, trace, account->github, account->email, account->name, account->photo};
  int isLink = strcmp(name, "link") == 0;
  int valueCount = isLink ? 8 : 4;
  if (asks) return change_in_transaction(server, name, account, valueCount, values);
  int changed = ask(server, name, valueCount, values);
  return changed == 1 ? 0 : changed < 0 ? -1 : limits_fail("PostgreSQL", "nothing changed");
}

static int sign_in(LimitsServer *server, const LimitsAccount *account) {
  const char *subject[] = {account->google};
  int rows = ask(server, "signin", 1, subject);
  return rows >= 3 ? 0 : rows < 0 ? -1 : limits_fail("PostgreSQL", "an account is not there");
}

int limits_server_run(
  LimitsServer *server, LimitsOperation operation, const uint32_t *numbers, int count, int asks,
  LimitsTexts lengths, double *microseconds
) {
  for (int i = 0; i < count; i++) {
    int isMerge = operation == LIMITS_MERGE;
    LimitsAccount account, other;
    if (operation != LIMITS_LIST) account = limits_account(numbers[isMerge ? 2 * i : i]);
    if (isMerge) other = limits_account(numbers[2 * i + 1]);
    double start = limits_now();
    int code = 0, attempts = 0;
    do {
      server->isTaken = 0;
      switch (operation) {
      case LIMITS_SIGN_IN: code = sign_in(server, &account); break;
      case LIMITS_LINK: code = change(server, "link", &account, asks, lengths); break;
      case LIMITS_UNLINK: code = change(server, "unlink", &account, asks, lengths); break;
      case LIMITS_MERGE: code = merge(server, &account, &other, lengths); break;
      default: code = list(server);
      }
      // Two events of one microsecond may have the same random number.
    } while (code && server->isTaken && ++attempts < 5);
    if (code) return -1;
    microseconds[i] = limits_now() - start;
  }
  return 0;
}
