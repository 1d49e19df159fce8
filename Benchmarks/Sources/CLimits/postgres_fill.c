#include "postgres.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The secondary indexes of the schema, without those of keys that a table declares.
#define SECONDARY \
  "FROM pg_indexes WHERE schemaname = current_schema() AND indexname NOT IN (SELECT conname FROM pg_constraint)"

static int copy_begin(LimitsServer *server, const char *sql) {
  PGresult *result = PQexec(server->connection, sql);
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status == PGRES_COPY_IN ? 0 : limits_server_failed(server);
}

static int copy_row(LimitsServer *server, const char *row) {
  return PQputCopyData(server->connection, row, strlen(row)) == 1 ? 0 : limits_server_failed(server);
}

static int copy_end(LimitsServer *server) {
  if (PQputCopyEnd(server->connection, NULL) != 1) return limits_server_failed(server);
  int code = 0;
  for (PGresult *result; (result = PQgetResult(server->connection)); PQclear(result))
    if (PQresultStatus(result) != PGRES_COMMAND_OK) code = limits_server_failed(server);
  return code;
}

/// Returns one text of a query's answer, to be freed; NULL after a failure.
static char *text_of(LimitsServer *server, const char *query) {
  PGresult *result = PQexec(server->connection, query);
  char *text = PQresultStatus(result) == PGRES_TUPLES_OK ? strdup(PQgetvalue(result, 0, 0)) : NULL;
  if (!text) limits_server_failed(server);
  PQclear(result);
  return text;
}

static int fill_accounts(LimitsServer *server, uint32_t count) {
  char row[1024];
  if (copy_begin(
        server,
        "COPY accounts (project, tenant, uid, revision, email, email_canonical, email_verified, verified_email, "
        "display_name, photo_url, disabled, is_anonymous, created_at) FROM STDIN"))
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    LimitsAccount a = limits_account(i);
    snprintf(
      row, sizeof row, LIMITS_PROJECT "\t\t%s\t1\t%s\t%s\t1\t%s\t%s\t%s\t0\t0\t1700000000000\n", a.uid, a.email,
      a.email, a.email, a.name, a.photo);
    if (copy_row(server, row)) return -1;
  }
  return copy_end(server);
}

static int fill_identities(LimitsServer *server, uint32_t count) {
  char row[1024];
  if (copy_begin(
        server,
        "COPY identities (project, tenant, uid, position, provider, issuer, subject, email, display_name, photo_url, "
        "email_verified, origin, linked_at, secret, secret_changed_at) FROM STDIN"))
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    LimitsAccount a = limits_account(i);
    const char *providers[] = {"google.com", "facebook.com"}, *subjects[] = {a.google, a.facebook};
    for (int position = 0; position < 2; position++) {
      snprintf(
        row, sizeof row,
        LIMITS_PROJECT "\t\t%s\t%d\t%s\t\t%s\t%s\t%s\t%s\t1\tcredential\t1700000000000\t\\N\t\\N\n", a.uid,
        position, providers[position], subjects[position], a.email, a.name, a.photo);
      if (copy_row(server, row)) return -1;
    }
    snprintf(
      row, sizeof row,
      LIMITS_PROJECT "\t\t%s\t2\tpassword\t\t%s\t%s\t\\N\t\\N\t1\tcredential\t1700000000000\t%s\t1700000000000\n",
      a.uid, a.email, a.email, a.secret);
    if (copy_row(server, row)) return -1;
  }
  return copy_end(server);
}

/// Adds an event to each account, as an import writes it.
static int fill_events(LimitsServer *server, uint32_t count) {
  char row[256], id[17];
  if (copy_begin(
        server,
        "COPY events (sequence, project, tenant, id, at, actor, action, account, details) FROM STDIN"))
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    limits_event_id(id);
    snprintf(
      row, sizeof row, "%u\t" LIMITS_PROJECT "\t\t%s\t1700000000000\tadmin:import\timport\t%s\t{}\n", i + 1, id,
      limits_account(i).uid);
    if (copy_row(server, row)) return -1;
  }
  if (copy_end(server)) return -1;
  return limits_server_execute(
    server,
    "INSERT INTO event_accounts (project, tenant, uid, sequence) SELECT project, tenant, account, sequence FROM events; "
    "INSERT INTO outbox (sequence, event_project, event_tenant) SELECT sequence, project, tenant FROM events");
}

int limits_server_fill(LimitsServer *server, uint32_t count, int events) {
  char *drop = text_of(server, "SELECT coalesce(string_agg('DROP INDEX ' || indexname, ';'), '') " SECONDARY);
  char *make = text_of(server, "SELECT coalesce(string_agg(indexdef, ';'), '') " SECONDARY);
  int code = drop && make ? limits_server_execute(server, drop) : -1;
  if (!code) code = fill_accounts(server, count) || fill_identities(server, count) ? -1 : 0;
  if (!code && events) code = fill_events(server, count);
  if (!code) code = limits_server_execute(server, make);
  free(drop);
  free(make);
  if (code || events) return code;
  return limits_server_execute(server, "VACUUM (ANALYZE)");
}
