import Foundation

/// Why no connection could be made, as far as libpq's words say.
///
/// libpq has no code for it: for a server that refuses it repeats the server's words, and for all else it has its own.
enum ConnectionProblem {
  case noTLS, certificate, access, database, readOnly, noSlot, starting, parameter, notPostgres
  case unknownHost, refused, unanswered, pooler, other

  /// Whether it may be over before long.
  var mayPass: Bool {
    switch self {
    case .noTLS, .certificate, .access, .database, .parameter, .notPostgres, .pooler: false
    case .readOnly, .noSlot, .starting, .unknownHost, .refused, .unanswered, .other: true
    }
  }

  /// The SQL standard's state for what the server refuses.
  var state: String? {
    switch self {
    case .access: "28000"
    case .database: "3D000"
    case .readOnly: "25006"
    case .noSlot: "53300"
    case .starting: "57P03"
    default: nil
    }
  }

  /// Reads it from libpq's message; of several hosts the one that is nearest to being usable counts.
  init(_ message: String) {
    let found = Self.words.first { _, words in words.contains { message.contains($0) } }
    self = found?.problem ?? .other
  }

  private static let words: [(problem: ConnectionProblem, words: [String])] = [
    (.noTLS, ["server does not support SSL"]),
    (
      .certificate,
      [
        "certificate verify failed", "does not match host name", "root certificate file",
        "server certificate", "could not get server's host name",
      ]
    ),
    (
      .access,
      [
        "password authentication failed", "no pg_hba.conf entry", "no password supplied",
        "pg_hba.conf rejects", "authentication failed", "certificate authentication",
        "is not permitted to log in",
      ]
    ),
    (.parameter, ["unsupported startup parameter", "unrecognized configuration parameter"]),
    (
      .noSlot,
      [
        "connection slots are reserved", "too many clients", "too many connections",
        "no more connections allowed", "query_wait_timeout",
      ]
    ),
    (
      .starting,
      [
        "database system is starting up", "database system is shutting down",
        "database system is in recovery mode", "database system is not yet accepting",
        "database system is not accepting",
      ]
    ),
    (.readOnly, ["session is read-only", "server is in hot standby mode"]),
    (.database, ["no such database"]),
    (
      .notPostgres,
      ["invalid response to SSL negotiation", "expected authentication request from server"]
    ),
    (.unknownHost, ["could not translate host name"]),
    (.unanswered, ["timeout expired", "timed out", "No route to host", "Network is unreachable"]),
    (.refused, ["Connection refused", "No such file or directory"]),
  ]
}

extension PostgresFailure {
  /// A pooler that changes the server's process between transactions.
  static let pooler = PostgresFailure(
    state: nil, message: "a pooler gave another connection", isDisconnection: true,
    problem: .pooler)

  /// What the check of a transaction fails with.
  static let anotherBackend = "authgraph: another process of the server"

  var isPooler: Bool { problem == .pooler }

  /// Says if a session has lost what was kept in it, which only a pooler does: a prepared statement, the path to the
  /// store's tables, or the process itself.
  var isOfAnotherBackend: Bool {
    ["26000", "42P01"].contains(state ?? "") || message.contains(Self.anotherBackend)
  }

  /// A failure to connect, from libpq's message.
  init(unreachable message: String) {
    var problem = ConnectionProblem(message)
    if problem == .other || problem == .access, message.contains("does not exist") {
      if message.contains("database \"") { problem = .database }
      if message.contains("role \"") { problem = .access }
    }
    self.init(
      state: problem.state, message: message, isDisconnection: true, problem: problem)
  }

  /// The message as the end of a sentence: in one line, without libpq's own advice, and with a full stop.
  var sentence: String {
    let lines = message.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      !["\t", "Either ", "HINT:", "DETAIL:"].contains { line.hasPrefix($0) }
    }
    let text = lines.map(\.trimmingSpace).joined(separator: "; ")
    return text.hasSuffix(".") ? text : text + "."
  }
}

extension ConnectionOptions {
  /// Cause and remedy of a problem, each a sentence.
  func explanation(
    _ problem: ConnectionProblem, _ words: String
  ) -> (message: String, remedy: String) {
    switch problem {
    case .noTLS:
      (
        "The server of the store \(place) has no TLS, which the URL requires: \(words)",
        "Turn on ssl in its postgresql.conf, or write sslmode=disable if it is on this machine."
      )
    case .certificate:
      (
        "The certificate of the store \(place) cannot be trusted: \(words)",
        "Name its authority with sslrootcert=PATH, and the host as the certificate does."
      )
    case .access: accessExplanation(words)
    case .database:
      (
        "The database of the store \(place) does not exist.",
        "Make it with createdb, or correct the URL."
      )
    case .readOnly:
      (
        "The store \(place) is read-only.",
        keywords["target_session_attrs"] == "read-write"
          ? "Promote a standby server, or let the primary take changes again."
          : "Name the primary server, or all servers with target_session_attrs=read-write."
      )
    case .noSlot:
      (
        "The server of the store \(place) has no connection free: \(words)",
        words.contains("too many connections for")
          ? "Raise the CONNECTION LIMIT that was set, or lower connections in the store's URL of every server."
          : "Raise its max_connections, or lower connections in the store's URL of every server."
      )
    case .starting:
      (
        "The server of the store \(place) is about to start or to stop: \(words)",
        "Try again in a moment; PostgreSQL's log says how far it is."
      )
    case .parameter:
      (
        "The server of the store \(place) refuses an option: \(words)",
        "Remove the option from the URL, or add it to ignore_startup_parameters of a pooler."
      )
    case .notPostgres:
      (
        "What answers at \(place) is not PostgreSQL: \(words)",
        "Correct host and port of the store's URL."
      )
    case .unknownHost:
      (
        "The host of the store \(place) is unknown: \(words)",
        "Correct the host in the store's URL, or its entry in DNS."
      )
    case .unanswered:
      (
        "The store \(place) cannot be reached: \(words)",
        "Check that its machine runs, and the network and firewalls on the way."
      )
    case .refused:
      (
        "The store \(place) cannot be reached: \(words)",
        "Check that PostgreSQL runs there and listens, or correct host and port."
      )
    case .pooler:
      (
        "The store \(place) is behind a pooler that gives each transaction another connection "
          + "(pgbouncer: pool_mode=transaction).",
        "AuthGraph needs a connection of its own: connect to PostgreSQL itself, or set pool_mode=session."
      )
    case .other:
      (
        "The store \(place) cannot be reached: \(words)",
        "Check that PostgreSQL runs there, and try again."
      )
    }
  }

  private func accessExplanation(_ words: String) -> (message: String, remedy: String) {
    let message = "The store \(place) does not let this user in: \(words)"
    if words.contains("pg_hba.conf") {
      return (
        message,
        words.contains("no encryption") && !words.contains("SSL encryption")
          ? "Connect with TLS (sslmode=verify-full), or allow it in pg_hba.conf."
          : "Allow user and address in pg_hba.conf, or correct the user of the URL."
      )
    }
    return (message, "Check the user and password of its URL.")
  }
}
