/// The tables, and the migrations of older schemas.
///
/// Tables and columns are those of SQLite, so that both stores share their statements. Every key begins with the
/// scope, by which an engine may distribute rows, except in the outbox, which is a queue. There are no sequences.
enum Schema {
  /// A step from an older schema to a newer one.
  ///
  /// Once released it never changes; another one follows it.
  struct Migration: Sendable {
    let name: String
    let sql: String
    /// Fills what the statements made, with what they cannot compute.
    var fill: (@Sendable (PostgresConnection) throws -> Void)?
  }

  static let migrations = [
    Migration(name: "1-accounts", sql: accounts),
    Migration(name: "2-audit", sql: audit),
    Migration(name: "3-sessions", sql: sessions),
    Migration(name: "4-sharing", sql: sharing),
    Migration(name: "5-ownership", sql: ownership),
    Migration(name: "6-sweeping", sql: sweeping),
    Migration(name: "7-generation", sql: generation),
    Migration(name: "8-searching", sql: searching, fill: fillSearching),
    Migration(name: "9-policy-decisions", sql: policyDecisions),
  ]

  // Times are milliseconds since 1970. No tenant is ''. NUL in a text is encoded. Flags are 0 and 1.
  private static let accounts = """
    CREATE TABLE IF NOT EXISTS accounts (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      revision BIGINT NOT NULL,
      email TEXT,
      email_canonical TEXT,
      email_verified SMALLINT NOT NULL,
      -- The canonical address where it is verified and the scope's settings give it one owner.
      verified_email TEXT,
      display_name TEXT,
      photo_url TEXT,
      phone TEXT,
      disabled SMALLINT NOT NULL,
      is_anonymous SMALLINT NOT NULL,
      custom_claims TEXT,
      created_at BIGINT NOT NULL,
      last_sign_in_at BIGINT,
      valid_since BIGINT,
      last_refresh_at BIGINT,
      details TEXT,
      PRIMARY KEY (project, tenant, uid)
    );
    CREATE INDEX IF NOT EXISTS accounts_by_email ON accounts (project, tenant, email_canonical)
      WHERE email_canonical IS NOT NULL;
    CREATE UNIQUE INDEX IF NOT EXISTS accounts_by_verified_email ON accounts (project, tenant, verified_email)
      WHERE verified_email IS NOT NULL;
    CREATE INDEX IF NOT EXISTS accounts_by_phone ON accounts (project, tenant, phone) WHERE phone IS NOT NULL;

    -- An identity that was replaced has a position below zero, so that the one unique key guards both.
    CREATE TABLE IF NOT EXISTS identities (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      position INTEGER NOT NULL,
      provider TEXT NOT NULL,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      email TEXT,
      display_name TEXT,
      photo_url TEXT,
      phone TEXT,
      email_verified SMALLINT NOT NULL,
      origin TEXT NOT NULL,
      linked_at BIGINT NOT NULL,
      last_sign_in_at BIGINT,
      secret TEXT,
      secret_changed_at BIGINT,
      screen_name TEXT,
      successor INTEGER,
      rekey TEXT,
      replaced_until BIGINT,
      former_place INTEGER,
      language TEXT,
      date_of_birth TEXT,
      PRIMARY KEY (project, tenant, uid, position),
      FOREIGN KEY (project, tenant, uid) REFERENCES accounts ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX IF NOT EXISTS identities_by_key
      ON identities (project, tenant, provider, subject, issuer);

    CREATE TABLE IF NOT EXISTS second_factors (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      -- NULL for a TOTP factor.
      phone TEXT,
      display_name TEXT,
      enrolled_at TEXT,
      secret TEXT,
      secret_changed_at BIGINT,
      PRIMARY KEY (project, tenant, uid, position),
      FOREIGN KEY (project, tenant, uid) REFERENCES accounts ON DELETE CASCADE
    );

    CREATE TABLE IF NOT EXISTS aliases (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      absorbed TEXT NOT NULL,
      survivor TEXT NOT NULL,
      PRIMARY KEY (project, tenant, absorbed)
    );
    CREATE INDEX IF NOT EXISTS aliases_by_survivor ON aliases (project, tenant, survivor);

    -- The revision is a random number: what was read under one is never anything else.
    CREATE TABLE IF NOT EXISTS settings (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      revision BIGINT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant)
    );

    CREATE TABLE IF NOT EXISTS checkpoints (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (project, tenant, name)
    );
    """

  private static let audit = """
    CREATE TABLE IF NOT EXISTS events (
      sequence BIGINT NOT NULL,
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      reason TEXT,
      action TEXT NOT NULL,
      account TEXT,
      -- A JSON list of uids; NULL for none.
      related TEXT,
      error_code TEXT,
      details TEXT NOT NULL,
      -- A JSON list of steps; NULL for none.
      trace TEXT,
      PRIMARY KEY (project, tenant, sequence)
    );
    CREATE UNIQUE INDEX IF NOT EXISTS events_by_id ON events (project, tenant, id);

    CREATE TABLE IF NOT EXISTS event_accounts (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      sequence BIGINT NOT NULL,
      PRIMARY KEY (project, tenant, uid, sequence)
    );

    CREATE TABLE IF NOT EXISTS outbox (
      sequence BIGINT NOT NULL PRIMARY KEY,
      event_project TEXT NOT NULL,
      event_tenant TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at BIGINT NOT NULL DEFAULT 0,
      is_dead SMALLINT NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS outbox_by_time ON outbox (is_dead, next_attempt_at, sequence);

    CREATE TABLE IF NOT EXISTS merges (
      number BIGINT NOT NULL DEFAULT
        CAST(floor(extract(epoch FROM clock_timestamp()) * 1000000) AS BIGINT),
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      at BIGINT NOT NULL,
      survivor TEXT NOT NULL,
      absorbed TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('standing', 'undone')),
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    );
    CREATE INDEX IF NOT EXISTS merges_by_number ON merges (project, tenant, number);
    CREATE INDEX IF NOT EXISTS merges_by_survivor ON merges (project, tenant, survivor);
    CREATE INDEX IF NOT EXISTS merges_by_absorbed ON merges (project, tenant, absorbed);
    """

  // One-time records, and sessions. A session's account may be gone.
  private static let sessions = """
    CREATE TABLE IF NOT EXISTS one_time_records (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      account TEXT,
      expires_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    );
    CREATE INDEX IF NOT EXISTS one_time_records_by_account ON one_time_records (project, tenant, account)
      WHERE account IS NOT NULL;
    CREATE INDEX IF NOT EXISTS one_time_records_by_end ON one_time_records (project, tenant, expires_at);
    CREATE INDEX IF NOT EXISTS one_time_records_by_kind ON one_time_records (project, tenant, kind, id);

    CREATE TABLE IF NOT EXISTS sessions (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      id TEXT NOT NULL,
      uid TEXT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant, id)
    );
    CREATE INDEX IF NOT EXISTS sessions_by_account ON sessions (project, tenant, uid);
    """

  // Tables that servers share besides accounts: counts that may be lost, and a marker of changes.
  private static let sharing = """
    CREATE TABLE IF NOT EXISTS counts (
      name TEXT NOT NULL PRIMARY KEY,
      amount BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS counts_by_end ON counts (expires_at);
    CREATE TABLE IF NOT EXISTS changes (number BIGINT NOT NULL);
    INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM changes);
    """
}
