import IdentityToolkit
import NIOConcurrencyHelpers

/// The bytes of request bodies that the server may hold at once.
///
/// The clients of one address get a quarter of it at most, so that none takes it from all others.
final class BodyBudget: Sendable {
  private struct State {
    var held = 0
    var heldByAddress: [String: Int] = [:]
  }

  private let total: Int
  private let share: Int
  private let state = NIOLockedValueBox(State())

  /// Makes a budget whose shares are at least the longest body of a client.
  init(total: Int, longestOfClient: Int) {
    self.total = total
    share = max(total / 4, longestOfClient)
  }

  /// Takes bytes from the budget, and from the share of an address unless it is nil; false if there are too few.
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

  /// Gives back what was taken.
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
  /// A body that is longer than any that the caller may send.
  static func bodyTooLong(limit: Int) -> WireError {
    WireError(
      status: 413, message: "Request payload size exceeds the limit: \(limit) bytes.",
      canonicalStatus: "INVALID_ARGUMENT", reason: "uploadTooLarge")
  }

  /// More bodies than the server holds at once.
  static let tooManyBodies = WireError(
    status: 503, message: "The server has too many requests to read now. Try again later.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")
}
