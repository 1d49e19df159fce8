/// The ID of an identity provider.
public struct AuthProviderID: Sendable, Hashable {
  /// The name on the wire, such as `apple.com`.
  public let rawValue: String

  /// Sign in with Apple.
  public static let apple = AuthProviderID(rawValue: "apple.com")
  /// E-mail address and password.
  public static let email = AuthProviderID(rawValue: EmailAuthProvider.id)
  /// Facebook.
  public static let facebook = AuthProviderID(rawValue: FacebookAuthProvider.id)
  /// Game Center.
  public static let gameCenter = AuthProviderID(rawValue: GameCenterAuthProvider.id)
  /// GitHub.
  public static let gitHub = AuthProviderID(rawValue: GitHubAuthProvider.id)
  /// Google.
  public static let google = AuthProviderID(rawValue: GoogleAuthProvider.id)
  /// Phone number.
  public static let phone = AuthProviderID(rawValue: PhoneAuthCredential.providerID)

  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Returns the ID of any other provider, such as `discord.com` or `oidc.example`.
  public static func custom(_ value: String) -> AuthProviderID {
    AuthProviderID(rawValue: value)
  }
}
