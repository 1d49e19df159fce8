extension Schema {
  // Conflicts that merge policies decided, masked.
  static let policyDecisions = """
    CREATE TABLE IF NOT EXISTS policy_decisions (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at BIGINT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    );
    """
}
