import AuthCore
import AuthTesting
import RandomOperations
import Testing

/// Tests of the search that judges the random operations: it finds an existing order, and no other.
@Suite struct OrderSearchTests {
  /// Makes a sign-in of a new person, with its uid or its error.
  private func signIn(
    _ subject: String, by writer: Int, _ time: ClosedRange<UInt64>, sequence: Int64,
    gave uid: String
  ) throws -> HistoryStep {
    let claim = try claim(subject)
    return HistoryStep(
      writer: writer, start: time.lowerBound, end: time.upperBound, operation: .signIn(claim),
      event: event(sequence, uid, nil))
  }

  private func delete(
    _ uid: String, by writer: Int, _ time: ClosedRange<UInt64>, sequence: Int64,
    error: AuthError.Code? = nil
  ) -> HistoryStep {
    HistoryStep(
      writer: writer, start: time.lowerBound, end: time.upperBound,
      operation: .delete(AccountID(uid)),
      event: event(sequence, uid, error))
  }

  private func claim(_ subject: String) throws -> Operation.Claim {
    var generator = SeededGenerator(seed: 1)
    while true {
      let operation = try Operation.random(Population(), serial: "", using: &generator)
      if case .signIn(let claim) = operation, claim.subject == subject, claim.email == nil {
        return claim
      }
    }
  }

  private func event(_ sequence: Int64, _ uid: String, _ error: AuthError.Code?) -> AuditEvent {
    AuditEvent(
      id: "e\(sequence)", sequence: sequence, scope: RandomGraph.scope,
      at: Timestamp(milliseconds: 0), actor: "test", reason: nil, action: .signIn,
      accountID: AccountID(uid), errorCode: error?.rawValue)
  }

  private func hasOrder(_ steps: [HistoryStep]) -> (isFound: Bool, repairs: Int) {
    var search = OrderSearch(ReferenceModel(), steps)
    let isFound = search.run { _ in nil }
    return (isFound, search.repairs)
  }

  @Test func `the order of the events is taken if it is right`() throws {
    let steps = try [
      signIn("s1", by: 0, 1...10, sequence: 1, gave: "u1"),
      delete("u1", by: 1, 1...10, sequence: 2),
      signIn("s1", by: 0, 11...20, sequence: 3, gave: "u2"),
    ]

    #expect(hasOrder(steps) == (true, 0))
  }

  @Test func `an operation that did not see a concurrent change happened before it`() throws {
    let steps = try [
      signIn("s1", by: 0, 1...2, sequence: 1, gave: "u1"),
      delete("u1", by: 1, 3...10, sequence: 2),
      signIn("s2", by: 2, 4...5, sequence: 3, gave: "u3"),
      signIn("s1", by: 0, 6...9, sequence: 4, gave: "u1"),
    ]

    #expect(hasOrder(steps) == (true, 1))
  }

  @Test func `an operation that saw a concurrent change happened after it`() throws {
    let steps = try [
      delete("u1", by: 1, 1...10, sequence: 1),
      signIn("s1", by: 0, 1...9, sequence: 2, gave: "u1"),
    ]

    #expect(hasOrder(steps) == (true, 1))
  }

  @Test func `an operation that did not see an earlier change is found out`() throws {
    let steps = try [
      signIn("s1", by: 0, 1...2, sequence: 1, gave: "u1"),
      delete("u1", by: 1, 3...4, sequence: 2),
      signIn("s1", by: 0, 5...9, sequence: 3, gave: "u1"),
    ]

    #expect(!hasOrder(steps).isFound)
  }

  @Test func `two operations that each saw only themselves are found out`() throws {
    let steps = try [
      signIn("s1", by: 0, 1...10, sequence: 1, gave: "u1"),
      signIn("s1", by: 1, 1...10, sequence: 2, gave: "u2"),
    ]

    #expect(!hasOrder(steps).isFound)
  }
}
