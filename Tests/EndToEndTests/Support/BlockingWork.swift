import Foundation

/// Runs what waits for another process on a thread of its own.
///
/// A vendor that is played in the tests answers on Swift's threads, of which there are as many as processors;
/// tests that wait there would keep it from answering.
func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
