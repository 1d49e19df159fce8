import Foundation
public import Testing

/// Polls until a condition holds, and fails the test after a time that no working machine needs.
public func eventually(
  _ what: Comment = "it never happened", sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(120)
  while try await !isSo() {
    try #require(ContinuousClock.now < deadline, what, sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Runs blocking work on a separate thread.
///
/// A fake vendor of the tests answers on Swift's threads, of which there are as many as processors. A test that blocks
/// one could keep it from answering.
@discardableResult
public func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
