#ifndef CLIMITS_POSTGRES_H
#define CLIMITS_POSTGRES_H

#include "common.h"
#include <postgresql/libpq-fe.h>

struct LimitsServer {
  PGconn *connection;
  LimitsCopy copy;
  char last[29];
  /// Set if the last failure was only a key that another caller has.
  int isTaken;
};

/// Keeps the connection's error message; returns -1.
int limits_server_failed(LimitsServer *server);
/// Runs statements without results.
int limits_server_execute(LimitsServer *server, const char *sql);

#endif
