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
  /// Whether the server said it before it came to the last of the statements that were sent together.
  var isBeforeLast = false
  /// Why no connection could be made.
  var problem: ConnectionProblem?

  var description: String { "PostgreSQL \(state ?? "connection"): \(message)" }

  /// Whether the same transaction may succeed when it is run again.
  var mayPass: Bool {
    guard !isUncertain else { return false }
    if let problem { return problem.mayPass }
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

  /// Whether the server takes no changes.
  var isReadOnly: Bool { state == "25006" }

  /// States in which a connection is left: the server ends it, takes none for now, or takes no changes any more.
  static let disconnections: Set<String> = [
    "57P01", "57P02", "57P03", "57P05", "53300", "25006", "25P03", "25P04",
  ]
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
    if let problem = failure.problem { return explanation(problem, failure.sentence) }
    switch failure.state {
    case "3D000":
      return (
        "The database of the store \(place) does not exist.",
        "Make it with createdb, or correct the URL."
      )
    case "42501":
      return (
        "This user may not use the store \(place): \(failure.sentence)",
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
        "The server of the store \(place) has no room left: \(failure.sentence)",
        "Make room and try again; nothing was written."
      )
    case "25006": return explanation(.readOnly, failure.sentence)
    case "53300": return explanation(.noSlot, failure.sentence)
    case "57P03": return explanation(.starting, failure.sentence)
    case "28000", "28P01": return explanation(.access, failure.sentence)
    default:
      return failure.isDisconnection || failure.state == nil
        ? explanation(.other, failure.sentence)
        : (
          "The store \(place) failed: \(failure.sentence)",
          "Try again; look into PostgreSQL's log for more."
        )
    }
  }
}
