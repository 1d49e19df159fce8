import AuthCore

/// What PostgreSQL or libpq said.
struct PostgresFailure: Error, CustomStringConvertible {
  /// The five characters of the SQL standard; nil where libpq itself failed.
  let state: String?
  let message: String
  /// The constraint that was broken.
  var constraint: String?
  /// Whether the connection is of no use any more.
  var isDisconnection = false
  /// Whether a commit was under way, so that nobody knows whether it happened.
  var isUncertain = false

  var description: String { "PostgreSQL \(state ?? "connection"): \(message)" }

  /// Whether the same transaction may succeed when it is run again.
  var mayPass: Bool {
    guard !isUncertain else { return false }
    if isDisconnection { return state == nil || Self.disconnections.contains(state ?? "") }
    switch state {
    // Serialisation failure, deadlock, a lock that was not free; and a key that somebody else took meanwhile.
    case "40001", "40P01", "55P03", "23505": return true
    // CockroachDB's, for a part of the data that is out of reach for a while.
    case "58C00", "58C01": return true
    default: return false
    }
  }

  /// Whether another transaction was in the way.
  var isConflict: Bool { ["40001", "40P01", "55P03"].contains(state) }

  /// Whether the engine lacks what was asked for: PostgreSQL's states for an unknown function and for what is not
  /// supported.
  var isMissingFeature: Bool { state == "42883" || state == "0A000" }

  var isDivisionByZero: Bool { state == "22012" }

  var isUniqueViolation: Bool { state == "23505" }

  /// States in which the server ends a connection, or takes none for now.
  static let disconnections: Set<String> = ["57P01", "57P02", "57P03", "53300"]
}

extension ConnectionOptions {
  /// Says in AuthGraph's words what PostgreSQL said; leaves every other error alone.
  func translated(_ error: any Error) -> any Error {
    if error is NoConnectionFree {
      return unavailable(
        "All \(connections) connections to the store \(place) are busy.",
        "Try again, or raise connections in the store's URL.", cause: error)
    }
    guard let failure = error as? PostgresFailure else { return error }
    if failure.constraint == "events_by_id" { return UniqueKeyConflict(key: "event") }
    guard !failure.isUncertain else {
      return AuthError(
        .unsureCommit,
        "The connection to the store \(place) was lost in a commit, so whether the change was made is not known.",
        remedy: "Look for the change before you try again.", step: .commit, cause: failure)
    }
    let (message, remedy) = explanation(failure)
    return unavailable(message, remedy, cause: failure)
  }

  func unavailable(
    _ message: String, _ remedy: String, cause: (any Error)? = nil
  ) -> AuthError {
    AuthError(.storeUnavailable, message, remedy: remedy, cause: cause)
  }

  private func explanation(_ failure: PostgresFailure) -> (message: String, remedy: String) {
    switch failure.state {
    case "28000", "28P01":
      return (
        "The store \(place) does not let this user in: \(failure.message)",
        "Check the user and password of its URL."
      )
    case "3D000":
      return (
        "The database of the store \(place) does not exist.",
        "Make it with createdb, or correct the URL."
      )
    case "42501":
      return (
        "This user may not use the store \(place): \(failure.message)",
        "Grant the user the right to create the schema \(schema), or the rights on it."
      )
    case "57014":
      return (
        "A statement on the store \(place) took longer than \(statementTimeout) seconds.",
        "Try again, or raise statement_timeout in the store's URL."
      )
    case "40001", "40P01", "55P03", "23505":
      return (
        "Too many writers wanted the same rows of the store \(place) at once.",
        "Try again; nothing was written."
      )
    case "53100", "53200":
      return (
        "The server of the store \(place) has no room left: \(failure.message)",
        "Make room and try again; nothing was written."
      )
    case "25006":
      return (
        "The store \(place) is read-only.",
        "Name the primary server, or add target_session_attrs=read-write to the URL."
      )
    default:
      return failure.isDisconnection || failure.state == nil
        ? (
          "The store \(place) cannot be reached: \(failure.message)",
          "Check that PostgreSQL runs there, and try again."
        )
        : (
          "The store \(place) failed: \(failure.message)",
          "Try again; look into PostgreSQL's log for more."
        )
    }
  }
}
