import AuthCore

/// An error of PostgreSQL or libpq.
struct PostgresFailure: Error, CustomStringConvertible {
  /// The SQLSTATE; nil if libpq itself failed.
  let state: String?
  let message: String
  /// The constraint that was violated.
  var constraint: String?
  /// True if the connection cannot be used any more.
  var isDisconnection = false
  /// True if a commit was under way, so that its outcome is unknown.
  var isUncertain = false
  /// True if the server failed before it reached the last of the statements that were sent together.
  var isBeforeLast = false
  /// The reason that no connection could be made.
  var problem: ConnectionProblem?

  var description: String { "PostgreSQL \(state ?? "connection"): \(message)" }

  /// True if the same transaction may succeed when it runs again.
  var mayPass: Bool {
    guard !isUncertain else { return false }
    if let problem { return problem.mayPass }
    if isDisconnection { return state == nil || Self.disconnections.contains(state ?? "") }
    switch state {
    // A serialisation failure, a deadlock, a lock that was not free, or a key taken by a concurrent transaction.
    case "40001", "40P01", "55P03", "23505": return true
    // CockroachDB's states for a range of data that is temporarily unavailable.
    case "58C00", "58C01": return true
    default: return false
    }
  }

  /// True if a concurrent transaction was in the way.
  var isConflict: Bool { ["40001", "40P01", "55P03"].contains(state) }

  /// True if the engine lacks a feature: PostgreSQL's states for an unknown function and for an unsupported one.
  var isMissingFeature: Bool { state == "42883" || state == "0A000" }

  var isDivisionByZero: Bool { state == "22012" }

  var isUniqueViolation: Bool { state == "23505" }

  /// True if the server takes no changes.
  var isReadOnly: Bool { state == "25006" }

  /// States that end the connection: the server closes it, has none free, or takes no changes any more.
  static let disconnections: Set<String> = [
    "57P01", "57P02", "57P03", "57P05", "53300", "25006", "25P03", "25P04",
  ]
}

extension ConnectionOptions {
  /// Translates a PostgreSQL error into an `AuthError`; returns every other error unchanged.
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
          "Try again, and read PostgreSQL's log."
        )
    }
  }
}
