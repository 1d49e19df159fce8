/// The ability of a provider to check the passwords of an old system, found by a builder of its manifest.
///
/// The provider named by ``SignInSettings/passwordMigration`` is asked once for a password that is not here yet. Its
/// `verify` gets a credential of this builder. It returns the person that the old system knows by this address, and
/// throws `invalid-credential` for a wrong password and for an unknown person alike. Any other error counts as a
/// failure of the old system.
public enum PasswordMigration {
  /// The name of the builder.
  public static let builderName = "oldPassword"
  /// The fields of the builder.
  public static let fields = [
    CredentialField("email", type: .email, "the address that the person entered"),
    CredentialField("password", secret: true, "the password that the person entered"),
  ]

  /// Tells whether a provider can check passwords of an old system.
  public static func isPossible(with provider: any AuthProvider) -> Bool {
    provider.manifest.builders.contains { builder in
      builder.name == builderName && builder.fields.map(\.name).sorted() == ["email", "password"]
    }
  }
}

extension Credential {
  /// Throws `operation-not-allowed` for a credential of ``PasswordMigration``: the old system's word alone is no
  /// sign-in.
  func checkPresented() throws(AuthError) {
    guard builder == PasswordMigration.builderName else { return }
    throw AuthError(
      .operationNotAllowed, "\(provider) only checks passwords of an old system.",
      field: "providerID", remedy: "Sign in with the e-mail address and the password.",
      step: .credential)
  }
}

extension AuthError {
  /// The failure of the old system, which creates nothing and does not count as a wrong password.
  static func oldSystemFailed(_ cause: any Error) -> AuthError {
    AuthError(
      .networkRequestFailed, "The password cannot be checked at present.",
      remedy: "Try again later.", step: .exchange, cause: cause)
  }
}
