import Foundation
public import Testing

/// Looks again and again until something is so, and ends the test where it is not after a time that no working machine
/// needs.
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

/// Runs what waits for another process on a thread of its own.
///
/// A vendor that is played in the tests answers on Swift's threads, of which there are as many as processors;
/// tests that wait there would keep it from answering.
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
