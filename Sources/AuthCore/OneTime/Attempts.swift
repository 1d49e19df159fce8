/// A count of attempts on one target in an hour, for each network and in total.
///
/// A stranger uses up the limit of their own network, and cannot lock out other networks before the total is reached.
/// The total bounds the attempts of many networks together.
struct Attempts {
  private let counts: [(id: String, limit: Int)]

  private static let seconds: Int64 = 3600

  /// Names the target of attempts; unknown requesters count as one, and a limit of 0 is none.
  init(_ name: String, from requester: String?, each: Int, all: Int) {
    counts = [
      ("attempts:\(name):from:\(requester ?? "")", each), ("attempts:\(name)", all),
    ].filter { $0.1 > 0 }
  }

  /// Throws `too-many-requests` if the limit is reached.
  func require(_ reader: any AccountReader, at now: Timestamp, in scope: Scope) throws {
    for (id, limit) in counts { _ = try reader.attempts(id, limit: limit, at: now, in: scope) }
  }

  /// Counts one more attempt, or throws `too-many-requests` at the limit.
  func count(_ writer: any AccountWriter, at now: Timestamp, in scope: Scope) throws {
    for (id, limit) in counts {
      try writer.countAttempt(id, limit: limit, seconds: Self.seconds, at: now, in: scope)
    }
  }
}

extension AccountReader {
  /// Returns the current record of attempts with this ID, if any; throws `too-many-requests` at the limit.
  fileprivate func attempts(
    _ id: String, limit: Int, at now: Timestamp, in scope: Scope
  ) throws -> OneTimeRecord? {
    guard let known = try oneTimeRecord(id, in: scope), known.expiresAt > now else { return nil }
    guard known.attempts < limit else {
      throw AuthError(
        .tooManyRequests, "There were too many attempts.",
        remedy: "Try again after \(known.expiresAt.text).", step: .credential)
    }
    return known
  }
}

extension AccountWriter {
  /// Counts an attempt in the record with this ID, or throws `too-many-requests` at the limit, unless that is 0.
  ///
  /// The period begins with the first attempt.
  func countAttempt(
    _ id: String, limit: Int, seconds: Int64, at now: Timestamp, in scope: Scope
  ) throws {
    guard limit > 0 else { return }
    var record =
      try attempts(id, limit: limit, at: now, in: scope)
      ?? OneTimeRecord(id: id, kind: .attempts, expiresAt: now.adding(seconds: seconds))
    record.attempts += 1
    try save(record, in: scope)
  }
}
