/// Names an identity provider.
public struct AuthProviderID: Sendable, Hashable {
  /// The name on the wire, such as `apple.com`.
  public let rawValue: String

  public static let apple = AuthProviderID(rawValue: "apple.com")
  public static let email = AuthProviderID(rawValue: EmailAuthProvider.id)
  public static let facebook = AuthProviderID(rawValue: FacebookAuthProvider.id)
  public static let gameCenter = AuthProviderID(rawValue: GameCenterAuthProvider.id)
  public static let gitHub = AuthProviderID(rawValue: GitHubAuthProvider.id)
  public static let google = AuthProviderID(rawValue: GoogleAuthProvider.id)
  public static let phone = AuthProviderID(rawValue: PhoneAuthCredential.providerID)

  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Names any other provider, such as `discord.com` or `oidc.example`.
  public static func custom(_ value: String) -> AuthProviderID {
    AuthProviderID(rawValue: value)
  }
}
