/// What speaks PostgreSQL's protocol on the other side.
enum Engine: Equatable {
  case postgres
  /// Compares texts byte by byte by itself, and has neither notifications nor locks by number.
  case cockroach
  /// PostgreSQL's own front on storage of its own; notifications came late, and it passes over no locked rows.
  case yugabyte

  /// Takes it from what the server says of its version.
  init(version: String) {
    if version.contains("CockroachDB") {
      self = .cockroach
    } else if version.contains("-YB-") {
      self = .yugabyte
    } else {
      self = .postgres
    }
  }

  /// The type of texts that are compared byte by byte.
  ///
  /// The others compare so by themselves, and take no collation for a column.
  var textType: String { self == .postgres ? "TEXT COLLATE \"C\"" : "TEXT" }

  /// How rows are locked by one of several workers: where it can be, without waiting for another's.
  var workerLock: String { self == .yugabyte ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED" }

  var announcements: ConnectionOptions.Announcements { self == .postgres ? .notify : .poll }
}
