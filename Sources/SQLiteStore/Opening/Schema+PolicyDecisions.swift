extension Schema {
  // Conflicts that merge policies decided, masked. A row is large, so the table has row numbers: pages without them hold
  // few rows.
  static let policyDecisions = """
    CREATE TABLE policy_decisions (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    );
    """
}
