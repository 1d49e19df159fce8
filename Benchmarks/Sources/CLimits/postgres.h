#ifndef CLIMITS_POSTGRES_H
#define CLIMITS_POSTGRES_H

#include "common.h"
#include <postgresql/libpq-fe.h>

struct LimitsServer {
  PGconn *connection;
  LimitsCopy copy;
  char last[29];
  /// Whether the last failure was only a key that somebody else has.
  int isTaken;
};

/// Keeps what the connection says went wrong; gives -1.
int limits_server_failed(LimitsServer *server);
/// Runs statements that give nothing.
int limits_server_execute(LimitsServer *server, const char *sql);

#endif
