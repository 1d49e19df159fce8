extension Schema {
  // Sweeps go over the records of all scopes by their end. A trigger removes the rows by account of an event; a
  // foreign key would scan all of them for each event.
  static let sweeping = """
    DROP INDEX one_time_records_by_end;
    CREATE INDEX one_time_records_by_time ON one_time_records (expires_at);

    CREATE TABLE event_accounts_without_key (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      PRIMARY KEY (project, tenant, uid, sequence)
    ) WITHOUT ROWID;
    INSERT INTO event_accounts_without_key
    SELECT project, tenant, uid, sequence FROM event_accounts;
    DROP TABLE event_accounts;
    ALTER TABLE event_accounts_without_key RENAME TO event_accounts;
    """
}
