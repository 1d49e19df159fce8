extension Schema {
  // An index for sweeps, which go over the records of all scopes by their end.
  static let sweeping = """
    CREATE INDEX IF NOT EXISTS one_time_records_by_time ON one_time_records (expires_at);
    DROP INDEX IF EXISTS one_time_records_by_end;
    """
}
