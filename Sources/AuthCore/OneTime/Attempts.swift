/// Attempts on one thing in an hour, counted by who makes them and all together.
///
/// So a stranger uses up what the own network may do, and keeps nobody else out before the total is reached, which takes
/// several networks. The total bounds what many of them can do together.
struct Attempts {
  private let counts: [(id: String, limit: Int)]

  private static let seconds: Int64 = 3600

  /// Names what is attempted; without a requester, all that are not known count as one.
  init(_ name: String, from requester: String?, each: Int, all: Int) {
    counts = [
      ("attempts:\(name):from:\(requester ?? "")", each), ("attempts:\(name)", all),
    ]
  }

  /// Throws `too-many-requests` if there may not be one more.
  func require(_ reader: any AccountReader, at now: Timestamp, in scope: Scope) throws {
    for (id, limit) in counts { _ = try reader.attempts(id, limit: limit, at: now, in: scope) }
  }

  /// Counts one more; throws `too-many-requests` if there may not be.
  func count(_ writer: any AccountWriter, at now: Timestamp, in scope: Scope) throws {
    for (id, limit) in counts {
      try writer.countAttempt(id, limit: limit, seconds: Self.seconds, at: now, in: scope)
    }
  }
}

extension AccountReader {
  /// The record of attempts with this ID, if its time is not over; throws `too-many-requests` at the limit.
  fileprivate func attempts(
    _ id: String, limit: Int, at now: Timestamp, in scope: Scope
  ) throws -> OneTimeRecord? {
    guard let known = try oneTimeRecord(id, in: scope), known.expiresAt > now else { return nil }
    guard known.attempts < limit else {
      throw AuthError(
        .tooManyRequests, "This was tried too often.",
        remedy: "Try again after \(known.expiresAt.text).", step: .credential)
    }
    return known
  }
}

extension AccountWriter {
  /// Counts an attempt in the record with this ID; throws `too-many-requests` beyond the limit.
  ///
  /// The time runs from the first attempt on.
  func countAttempt(
    _ id: String, limit: Int, seconds: Int64, at now: Timestamp, in scope: Scope
  ) throws {
    var record =
      try attempts(id, limit: limit, at: now, in: scope)
      ?? OneTimeRecord(id: id, kind: .attempts, expiresAt: now.adding(seconds: seconds))
    record.attempts += 1
    try save(record, in: scope)
  }
}
