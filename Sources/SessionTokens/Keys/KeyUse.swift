/// What a set of keys signs; a token of one kind is never good as the other.
public enum KeyUse: String, Sendable, Hashable, Codable, CaseIterable {
  case idToken = "id-token"
  case sessionCookie = "session-cookie"

  /// For how many seconds something that was signed can be good.
  public var maximumLifetime: Int64 {
    switch self {
    case .idToken: TokenService.lifetime
    case .sessionCookie: TokenService.cookieLifetimes.upperBound
    }
  }

  /// Where a project's keys are kept in its store.
  package var checkpoint: String { "signing-keys:\(rawValue)" }

  /// What the keys are sealed for, so that no project's keys can stand in for another's.
  package func sealingPurpose(_ project: String) -> String { "signing keys \(rawValue) \(project)" }

  /// The name in the certificates.
  var commonName: String {
    switch self {
    case .idToken: "securetoken"
    case .sessionCookie: "session-cookie"
    }
  }
}
