import Foundation

/// The tokens of one session: the ID token of requests, and the refresh token for new ones.
struct TokenPair: Codable, Sendable, Hashable {
  var idToken: String
  /// The refresh token; empty in an answer that keeps the old one.
  var refreshToken: String
  /// The end of ``idToken``; `Date.distantPast` if the server did not report it, so that the token is refreshed.
  var expiresAt: Date
}

extension TokenPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "TokenPair(expires at \(expiresAt))" }
  var debugDescription: String { description }
  /// Shows neither token.
  var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}
