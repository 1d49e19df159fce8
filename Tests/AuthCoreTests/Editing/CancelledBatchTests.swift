import AuthCore
import AuthTesting
import Testing

/// A batch stops when its request is cancelled, and nothing of it is kept.
@Suite struct `A cancelled batch` {
  private func cancelled<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await work()
    }
    return await task.result
  }

  @Test func `imports nothing`() async throws {
    let home = TestHome()
    let records = (0..<10).map { number in
      ImportedAccount(
        account: Account(
          id: AccountID("u\(number)"), scope: home.scope, createdAt: home.clock.now),
        line: number)
    }
    let outcome = await cancelled {
      try await home.graph.importRecords(records, overwriting: false, by: home.admin)
    }
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(try await home.everything().isEmpty)
  }

  @Test func `deletes nothing`() async throws {
    let home = TestHome()
    let account = try await home.signIn(try home.credential("1")).account.id
    let outcome = await cancelled {
      try await home.graph.deleteMany([account], force: true, by: home.admin)
    }
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(try await home.everything().count == 1)
  }
}
