import AuthCore

/// What a store knows once it is open.
struct OpenedStore {
  let engine: Engine
}

extension PostgresConnection {
  /// Brings the schema up to date, one server at a time; costs two queries where it is.
  ///
  /// Throws `store-unavailable` where the schema belongs to something else, or to a newer version.
  func open(_ options: ConnectionOptions) throws -> OpenedStore {
    let version = try execute("SELECT version()").row(0).text(0) ?? ""
    let engine = Engine(version: version)
    guard try applied(options) != Schema.migrations.map(\.name) else {
      return OpenedStore(engine: engine)
    }
    // Of the session rather than the transaction, so that whoever waited sees what the one before committed.
    let lock = options.lockNumber("migrations")
    do {
      try execute("SELECT pg_advisory_lock(\(lock))")
    } catch {
      // Two servers that start at once on an engine without such locks make the same tables.
      guard error.isMissingFeature else { throw error }
    }
    defer { _ = try? execute("SELECT pg_advisory_unlock(\(lock))") }
    try migrate(options, engine)
    return OpenedStore(engine: engine)
  }

  /// A migration takes effect as a whole or, on engines whose tables are not part of a transaction, is gone through
  /// again: nothing in it minds what is there already.
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
        try execute("INSERT INTO migrations VALUES (\(number + 1), '\(migration.name)')")
      }
      try execute("COMMIT")
    } catch {
      _ = try? execute("ROLLBACK")
      throw error
    }
  }

  /// The names of the migrations that the schema went through, in order.
  ///
  /// Throws where one of them is unknown here.
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

  /// Throws where the tables hold a part of another store: what servers wrote to it would be taken back.
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
    // Ours, and made by a start that came no further.
    guard try names("migrations", options).sorted() != ["name", "number"] else { return }
    for table in ["migrations", "accounts", "identities", "events", "sessions", "settings"] {
      guard try names(table, options).isEmpty else {
        throw options.unavailable(
          "The schema \(options.schema) of \(options.place) belongs to another application.",
          "Name another schema with ?schema=NAME; this one was left as it is.")
      }
    }
  }

  /// The columns of a table of the schema; none where there is no such table.
  private func names(_ table: String, _ options: ConnectionOptions) throws -> [String] {
    let answer = try execute(
      """
      SELECT column_name FROM information_schema.columns
      WHERE table_schema = '\(options.schema)' AND table_name = '\(table)'
      """)
    return (0..<answer.rowCount).compactMap { answer.row($0).text(0) }
  }
}
