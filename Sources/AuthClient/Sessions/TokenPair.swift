import Foundation

/// The tokens of one session: the ID token that requests carry, and what a new one is got with.
struct TokenPair: Codable, Sendable, Hashable {
  var idToken: String
  /// Empty in the answer of a refresh that leaves the refresh token as it is.
  var refreshToken: String
  /// When ``idToken`` ends; `Date.distantPast` where the server did not say, so that it is refreshed.
  var expiresAt: Date
}

extension TokenPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "TokenPair(expires at \(expiresAt))" }
  var debugDescription: String { description }
  /// Shows neither token.
  var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}
