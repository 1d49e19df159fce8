import AuthCore

/// The result of opening a store.
struct OpenedStore {
  let engine: Engine
}

extension PostgresConnection {
  /// Brings the schema up to date, one server at a time.
  ///
  /// Two queries suffice if it already is.
  ///
  /// Throws `store-unavailable` if the schema belongs to something else or to a newer version, or for reading alone if
  /// it is not up to date.
  func open(_ options: ConnectionOptions) throws -> OpenedStore {
    let version = try execute("SELECT version()").row(0).text(0) ?? ""
    let engine = Engine(version: version)
    guard try applied(options) != Schema.migrations.map(\.name) else {
      return OpenedStore(engine: engine)
    }
    guard !options.isReadOnly else {
      throw options.unavailable(
        "The store \(options.place) is new, or was made by an older version.",
        "Open it once without --read-only.")
    }
    // A lock of the session rather than of the transaction, so that a server which waited sees the commit of the one
    // before.
    let lock = options.lockNumber("migrations")
    do {
      try execute("SELECT pg_advisory_lock(\(lock))")
    } catch {
      // On an engine without such locks, two servers that start at once create the same tables.
      guard error.isMissingFeature else { throw error }
    }
    defer { _ = try? execute("SELECT pg_advisory_unlock(\(lock))") }
    try migrate(options, engine)
    return OpenedStore(engine: engine)
  }

  /// Applies the missing migrations.
  ///
  /// A migration takes effect as a whole. On engines whose DDL is not transactional it may run again, so every
  /// statement accepts what is already there.
  private func migrate(_ options: ConnectionOptions, _ engine: Engine) throws {
    let applied = try applied(options)
    if applied.isEmpty { try checkOwnership(options) }
    try execute("BEGIN")
    do {
      if applied.isEmpty {
        try execute("CREATE SCHEMA IF NOT EXISTS \(options.schema)")
        try execute(
          """
          CREATE TABLE IF NOT EXISTS migrations
            (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)
          """)
      }
      for (number, migration) in Schema.migrations.enumerated()
      where !applied.contains(migration.name) {
        try execute(migration.sql.replacing(" TEXT", with: " " + engine.textType))
        try migration.fill?(self)
        try execute("INSERT INTO migrations VALUES (\(number + 1), '\(migration.name)')")
      }
      try execute("COMMIT")
    } catch {
      _ = try? execute("ROLLBACK")
      throw error
    }
  }

  /// Returns the names of the applied migrations, in order; throws if one of them is unknown.
  private func applied(_ options: ConnectionOptions) throws -> [String] {
    guard try names("migrations", options).contains("name") else { return [] }
    let answer = try execute("SELECT name FROM migrations ORDER BY number")
    let applied = (0..<answer.rowCount).compactMap { answer.row($0).text(0) }
    let known = Schema.migrations.map(\.name)
    if let unknown = applied.first(where: { !known.contains($0) }) {
      throw options.unavailable(
        "The store \(options.place) was made by a newer version (\(unknown)).",
        "Update AuthGraph, or choose another database; this one was left as it is.")
    }
    return applied
  }

  /// Throws if the tables hold an incomplete copy of another store, which would overwrite what servers write to it.
  func checkCopy(_ options: ConnectionOptions) throws {
    guard try !names("store_copy", options).isEmpty else { return }
    let answer = try execute("SELECT state FROM store_copy")
    guard answer.rowCount > 0, let state = answer.row(0).text(0) else { return }
    if state == "adding" || state == "comparing" {
      throw options.unavailable(
        "The schema \(options.schema) of \(options.place) holds a copy that is not complete.",
        "Run authgraph store copy again until it says that both are equal.")
    }
  }

  private func checkOwnership(_ options: ConnectionOptions) throws {
    // The store's own table, left by a start that was interrupted.
    guard try names("migrations", options).sorted() != ["name", "number"] else { return }
    for table in ["migrations", "accounts", "identities", "events", "sessions", "settings"] {
      guard try names(table, options).isEmpty else {
        throw options.unavailable(
          "The schema \(options.schema) of \(options.place) belongs to another application.",
          "Name another schema with ?schema=NAME; this one was left as it is.")
      }
    }
  }

  /// Returns the columns of a table of the schema; empty if there is no such table.
  private func names(_ table: String, _ options: ConnectionOptions) throws -> [String] {
    let answer = try execute(
      """
      SELECT column_name FROM information_schema.columns
      WHERE table_schema = '\(options.schema)' AND table_name = '\(table)'
      """)
    return (0..<answer.rowCount).compactMap { answer.row($0).text(0) }
  }
}
