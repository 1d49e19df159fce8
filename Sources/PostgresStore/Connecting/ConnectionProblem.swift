import Foundation

/// The reason that no connection could be made, derived from libpq's message.
///
/// libpq has no codes for it. It repeats the message of a server that refuses, and has its own for everything else.
enum ConnectionProblem {
  case noTLS, certificate, access, database, readOnly, noSlot, starting, parameter, notPostgres
  case unknownHost, refused, unanswered, pooler, other

  /// True if the problem may pass before long.
  var mayPass: Bool {
    switch self {
    case .noTLS, .certificate, .access, .database, .parameter, .notPostgres, .pooler: false
    case .readOnly, .noSlot, .starting, .unknownHost, .refused, .unanswered, .other: true
    }
  }

  /// The SQLSTATE of a refusal by the server.
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

  /// Derives the problem from libpq's message.
  ///
  /// Of several hosts, the one closest to being usable counts.
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
  /// The failure for a pooler that switches the server's process between transactions.
  static let pooler = PostgresFailure(
    state: nil, message: "a pooler gave another connection", isDisconnection: true,
    problem: .pooler)

  /// The error text of the check in ``PostgresConnection/verification``.
  static let anotherBackend = "authgraph: another process of the server"

  var isPooler: Bool { problem == .pooler }

  /// True if the session has lost its state, which only a pooler causes: a prepared statement, the search path, or
  /// the server's process itself.
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

  /// The message as the end of a sentence: one line, without libpq's advice, with a full stop.
  var sentence: String {
    let lines = message.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      !["\t", "Either ", "HINT:", "DETAIL:"].contains { line.hasPrefix($0) }
    }
    let text = lines.map(\.trimmingSpace).joined(separator: "; ")
    return text.hasSuffix(".") ? text : text + "."
  }
}

extension ConnectionOptions {
  /// Returns the cause and the remedy of a problem, each as a sentence.
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
        "Try again in a moment; PostgreSQL's log shows its progress."
      )
    case .parameter:
      (
        "The server of the store \(place) refuses an option: \(words)",
        "Remove the option from the URL, or add it to ignore_startup_parameters of a pooler."
      )
    case .notPostgres:
      (
        "The server at \(place) is not PostgreSQL: \(words)",
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
