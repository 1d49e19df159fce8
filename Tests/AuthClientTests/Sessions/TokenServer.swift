import Foundation
import NIOConcurrencyHelpers
import TestSupport

@testable import AuthClient

/// Answers refreshes as a server would: each refresh token works, and gives the next numbered pair.
final class TokenServer: Sendable {
  static let epoch = Date(timeIntervalSince1970: 1_800_000_000)

  struct Failure: Error, Equatable {}

  private let state = NIOLockedValueBox(State())
  /// What requests wait for before they are answered, or nil.
  let gate: Gate?

  private struct State {
    var asked: [String] = []
    var lifetimes: [TimeInterval] = []
    var failures = 0
    var keepsRefreshToken = false
    var wasCancelled = false
  }

  init(gate: Gate? = nil) { self.gate = gate }

  /// The refresh tokens of all requests, in their order.
  var asked: [String] { state.withLockedValue(\.asked) }
  /// Whether the task of any request was cancelled.
  var wasCancelled: Bool { state.withLockedValue(\.wasCancelled) }

  /// Lets the next answers hold tokens of these lifetimes; an hour after those.
  func giveLifetimes(_ lifetimes: TimeInterval...) {
    state.withLockedValue { $0.lifetimes = lifetimes }
  }
  func fail(times: Int) { state.withLockedValue { $0.failures = times } }
  func keepRefreshToken() { state.withLockedValue { $0.keepsRefreshToken = true } }

  func refresh(_ refreshToken: String) async throws -> TokenPair {
    let number = state.withLockedValue { state in
      state.asked.append(refreshToken)
      return state.asked.count
    }
    await gate?.wait()
    return try state.withLockedValue { state in
      state.wasCancelled = state.wasCancelled || Task.isCancelled
      if state.failures > 0 {
        state.failures -= 1
        throw Failure()
      }
      let lifetime = state.lifetimes.isEmpty ? 3600 : state.lifetimes.removeFirst()
      return TokenPair(
        idToken: "id-\(number)", refreshToken: state.keepsRefreshToken ? "" : "refresh-\(number)",
        expiresAt: Self.epoch + lifetime)
    }
  }

  /// A pair that is good for a time.
  static func pair(_ name: String, validFor lifetime: TimeInterval) -> TokenPair {
    TokenPair(
      idToken: "id-\(name)", refreshToken: "refresh-\(name)", expiresAt: epoch + lifetime)
  }

  func keeper(
    validFor lifetime: TimeInterval, didRefresh: @escaping @Sendable () throws -> Void = {}
  ) -> TokenKeeper {
    TokenKeeper(
      Self.pair("0", validFor: lifetime), now: { Self.epoch },
      refresh: { try await self.refresh($0) }, didRefresh: didRefresh)
  }
}
