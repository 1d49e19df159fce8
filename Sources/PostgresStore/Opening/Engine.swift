/// An engine that speaks PostgreSQL's protocol.
enum Engine: Equatable {
  case postgres
  /// CockroachDB, which compares texts byte for byte and has neither notifications nor advisory locks.
  case cockroach
  /// YugabyteDB, PostgreSQL's front end on its own storage. It got notifications late and has no SKIP LOCKED.
  case yugabyte

  /// Determines the engine from the server's version text.
  init(version: String) {
    if version.contains("CockroachDB") {
      self = .cockroach
    } else if version.contains("-YB-") {
      self = .yugabyte
    } else {
      self = .postgres
    }
  }

  /// The type of texts that are compared byte for byte.
  ///
  /// Other engines do that by default and accept no collation for a column.
  var textType: String { self == .postgres ? "TEXT COLLATE \"C\"" : "TEXT" }

  /// The clause by which one of several workers locks rows, without waiting for another's if possible.
  var workerLock: String { self == .yugabyte ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED" }

  var announcements: ConnectionOptions.Announcements { self == .postgres ? .notify : .poll }
}
