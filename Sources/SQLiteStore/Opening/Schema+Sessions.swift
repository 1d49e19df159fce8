extension Schema {
  // A session's account has no foreign key: it may be gone, and its sessions stay until they are removed. Most
  // accounts have no details. The time of the last tokens changes often and is a column of its own. An event is due
  // at once until the first attempt to deliver it.
  static let sessions = """
    CREATE TABLE sessions (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      uid TEXT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    ) WITHOUT ROWID;
    CREATE INDEX sessions_by_account ON sessions (project, tenant, uid);

    ALTER TABLE accounts ADD COLUMN last_refresh_at INTEGER;
    ALTER TABLE accounts ADD COLUMN details TEXT;
    ALTER TABLE identities ADD COLUMN language TEXT;
    ALTER TABLE identities ADD COLUMN date_of_birth TEXT;

    CREATE INDEX one_time_records_by_kind ON one_time_records (project, tenant, kind, id);

    ALTER TABLE outbox ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE outbox ADD COLUMN next_attempt_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE outbox ADD COLUMN is_dead INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX outbox_by_time ON outbox (is_dead, next_attempt_at, sequence);
    """
}
