import Foundation
import NIOConcurrencyHelpers
import TestSupport

@testable import AuthClient

/// A server of refreshes: each refresh token works, and gives the next numbered pair.
final class TokenServer: Sendable {
  static let epoch = Date(timeIntervalSince1970: 1_800_000_000)

  struct Failure: Error, Equatable {}

  private let state = NIOLockedValueBox(State())
  /// The gate that requests wait for before they are answered, if any.
  let gate: Gate?

  private struct State {
    var asked: [String] = []
    var lifetimes: [TimeInterval] = []
    var failures = 0
    var keepsRefreshToken = false
    var wasCancelled = false
  }

  init(gate: Gate? = nil) { self.gate = gate }

  /// The refresh tokens of all requests, in order.
  var asked: [String] { state.withLockedValue(\.asked) }
  /// True if the task of any request was cancelled.
  var wasCancelled: Bool { state.withLockedValue(\.wasCancelled) }

  /// Sets the lifetimes of the next answers' tokens; later ones last an hour.
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

  /// Returns a pair that is valid for a time.
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
