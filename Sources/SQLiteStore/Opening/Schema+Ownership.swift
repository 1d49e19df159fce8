extension Schema {
  // Ends what earlier versions left of deleted accounts: aliases and sessions without an account, and merges that
  // cannot be undone any more, including undone ones. Their retention begins now.
  static let ownership = """
    ALTER TABLE accounts ADD COLUMN ownership INTEGER;
    ALTER TABLE merges ADD COLUMN ended_at INTEGER;
    CREATE INDEX merges_by_end ON merges (project, tenant, ended_at) WHERE ended_at IS NOT NULL;

    DELETE FROM aliases WHERE (project, tenant, absorbed) NOT IN (
      WITH RECURSIVE living (project, tenant, uid) AS (
        SELECT aliases.project, aliases.tenant, aliases.absorbed FROM aliases
        JOIN accounts ON accounts.project = aliases.project AND accounts.tenant = aliases.tenant
          AND accounts.uid = aliases.survivor
        UNION
        SELECT aliases.project, aliases.tenant, aliases.absorbed FROM aliases
        JOIN living ON living.project = aliases.project AND living.tenant = aliases.tenant
          AND living.uid = aliases.survivor)
      SELECT project, tenant, uid FROM living);
    UPDATE merges SET ended_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000
    WHERE (state = 'undone' OR (state = 'standing'
      AND NOT EXISTS (
        SELECT 1 FROM accounts WHERE accounts.project = merges.project
          AND accounts.tenant = merges.tenant AND accounts.uid = merges.survivor)
      AND NOT EXISTS (
        SELECT 1 FROM aliases WHERE aliases.project = merges.project
          AND aliases.tenant = merges.tenant AND aliases.absorbed = merges.survivor)));
    DELETE FROM sessions
    WHERE NOT EXISTS (
        SELECT 1 FROM accounts WHERE accounts.project = sessions.project
          AND accounts.tenant = sessions.tenant AND accounts.uid = sessions.uid)
      AND NOT EXISTS (
        SELECT 1 FROM aliases WHERE aliases.project = sessions.project
          AND aliases.tenant = sessions.tenant AND aliases.absorbed = sessions.uid);
    """
}
