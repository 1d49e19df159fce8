extension Schema {
  // Times are milliseconds since 1970. No tenant is ''. A text with NUL is stored as a BLOB of its UTF-8, because
  // SQLite's text ends at a NUL. So the tables are not STRICT.
  static let accounts = """
    CREATE TABLE accounts (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      uid TEXT NOT NULL,
      revision INTEGER NOT NULL,
      email TEXT,
      email_canonical TEXT,
      email_verified INTEGER NOT NULL,
      -- The canonical address where it is verified and the scope's settings give it one owner.
      verified_email TEXT,
      display_name TEXT,
      photo_url TEXT,
      phone TEXT,
      disabled INTEGER NOT NULL,
      is_anonymous INTEGER NOT NULL,
      custom_claims TEXT,
      created_at INTEGER NOT NULL,
      last_sign_in_at INTEGER,
      valid_since INTEGER,
      PRIMARY KEY (project, tenant, uid)
    ) WITHOUT ROWID;
    CREATE INDEX accounts_by_email ON accounts (project, tenant, email_canonical)
      WHERE email_canonical IS NOT NULL;
    CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (project, tenant, verified_email)
      WHERE verified_email IS NOT NULL;
    CREATE INDEX accounts_by_phone ON accounts (project, tenant, phone) WHERE phone IS NOT NULL;

    -- Clustered by account; the unique key brings the primary key along, so it answers who owns an identity.
    CREATE TABLE identities (
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
      email_verified INTEGER NOT NULL,
      origin TEXT NOT NULL,
      linked_at INTEGER NOT NULL,
      last_sign_in_at INTEGER,
      secret TEXT,
      secret_changed_at INTEGER,
      screen_name TEXT,
      PRIMARY KEY (project, tenant, uid, position),
      FOREIGN KEY (project, tenant, uid) REFERENCES accounts ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX identities_by_key
      ON identities (project, tenant, provider, subject, issuer);

    CREATE TABLE second_factors (
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
      secret_changed_at INTEGER,
      PRIMARY KEY (project, tenant, uid, position),
      FOREIGN KEY (project, tenant, uid) REFERENCES accounts ON DELETE CASCADE
    ) WITHOUT ROWID;

    CREATE TABLE aliases (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      absorbed TEXT NOT NULL,
      survivor TEXT NOT NULL,
      PRIMARY KEY (project, tenant, absorbed)
    ) WITHOUT ROWID;
    CREATE INDEX aliases_by_survivor ON aliases (project, tenant, survivor);

    -- The revision is a random number: what was read under one is never anything else.
    CREATE TABLE settings (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      revision INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (project, tenant)
    ) WITHOUT ROWID;

    CREATE TABLE checkpoints (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (project, tenant, name)
    ) WITHOUT ROWID;
    """
}
