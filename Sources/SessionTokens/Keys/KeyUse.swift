/// The kind of token that a set of keys signs; a token of one kind is never accepted as the other.
public enum KeyUse: String, Sendable, Hashable, Codable, CaseIterable {
  /// ID tokens.
  case idToken = "id-token"
  /// Session cookies.
  case sessionCookie = "session-cookie"

  /// The maximum validity of a signed token in seconds.
  public var maximumLifetime: Int64 {
    switch self {
    case .idToken: TokenService.lifetime
    case .sessionCookie: TokenService.cookieLifetimes.upperBound
    }
  }

  /// The name of the checkpoint that holds a project's keys.
  package var checkpoint: String { "signing-keys:\(rawValue)" }

  /// The purpose for which the keys are sealed, so that one project's keys cannot stand in for another's.
  package func sealingPurpose(_ project: String) -> String { "signing keys \(rawValue) \(project)" }

  /// The common name in the certificates.
  var commonName: String {
    switch self {
    case .idToken: "securetoken"
    case .sessionCookie: "session-cookie"
    }
  }
}
