extension Schema {
  // AUTOINCREMENT never reuses a sequence number, even after old events were removed.
  static let audit = """
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      reason TEXT,
      action TEXT NOT NULL,
      account TEXT,
      -- A JSON list of uids; NULL for none.
      related TEXT,
      error_code TEXT,
      details TEXT NOT NULL,
      -- A JSON list of steps; NULL for none.
      trace TEXT
    );
    CREATE UNIQUE INDEX events_by_id ON events (project, tenant, id);
    CREATE INDEX events_by_scope ON events (project, tenant);

    CREATE TABLE event_accounts (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      sequence INTEGER NOT NULL REFERENCES events ON DELETE CASCADE,
      PRIMARY KEY (project, tenant, uid, sequence)
    ) WITHOUT ROWID;

    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY REFERENCES events ON DELETE CASCADE
    );

    CREATE TABLE merges (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      survivor TEXT NOT NULL,
      absorbed TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('standing', 'undone')),
      json TEXT NOT NULL
    );
    CREATE UNIQUE INDEX merges_by_id ON merges (project, tenant, id);
    CREATE INDEX merges_by_scope ON merges (project, tenant);
    CREATE INDEX merges_by_survivor ON merges (project, tenant, survivor);
    CREATE INDEX merges_by_absorbed ON merges (project, tenant, absorbed);
    """
}
