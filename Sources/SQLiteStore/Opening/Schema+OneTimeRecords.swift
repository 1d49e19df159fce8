extension Schema {
  // One-time records. The account is NULL for a record without one.
  static let oneTimeRecords = """
    CREATE TABLE one_time_records (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      account TEXT,
      expires_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    ) WITHOUT ROWID;
    CREATE INDEX one_time_records_by_account ON one_time_records (project, tenant, account)
      WHERE account IS NOT NULL;
    CREATE INDEX one_time_records_by_end ON one_time_records (project, tenant, expires_at);
    """
}
