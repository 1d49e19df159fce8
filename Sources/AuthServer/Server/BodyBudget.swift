import IdentityToolkit
import NIOConcurrencyHelpers

/// The memory for request bodies, in bytes.
///
/// The clients of one address get at most a quarter of it, so that none takes it from all others.
final class BodyBudget: Sendable {
  private struct State {
    var held = 0
    var heldByAddress: [String: Int] = [:]
  }

  private let total: Int
  private let share: Int
  private let state = NIOLockedValueBox(State())

  /// Makes a budget in which each share is at least the longest body of a client.
  init(total: Int, longestOfClient: Int) {
    self.total = total
    share = max(total / 4, longestOfClient)
  }

  /// Takes bytes from the budget, and from the share of an address unless it is nil; returns false if too few are
  /// left.
  func take(_ count: Int, for address: String?) -> Bool {
    state.withLockedValue { state in
      guard count <= total - state.held else { return false }
      if let address {
        let held = state.heldByAddress[address] ?? 0
        guard count <= share - held else { return false }
        state.heldByAddress[address] = held + count
      }
      state.held += count
      return true
    }
  }

  /// Returns bytes to the budget.
  func giveBack(_ count: Int, of address: String?) {
    guard count > 0 else { return }
    state.withLockedValue { state in
      state.held -= count
      guard let address, let held = state.heldByAddress[address] else { return }
      state.heldByAddress[address] = held > count ? held - count : nil
    }
  }
}

extension WireError {
  /// Returns the error for a body that exceeds the caller's limit.
  static func bodyTooLong(limit: Int) -> WireError {
    WireError(
      status: 413, message: "Request payload size exceeds the limit: \(limit) bytes.",
      canonicalStatus: "INVALID_ARGUMENT", reason: "uploadTooLarge")
  }

  /// The error for a body that exceeds the budget.
  static let tooManyBodies = WireError(
    status: 503, message: "The server has too many requests to read now. Try again later.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")
}
