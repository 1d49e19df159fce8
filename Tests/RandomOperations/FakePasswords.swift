package import AuthCore

/// Passwords that are kept as they are, so that a hundred thousand sign-ins take seconds.
package struct FakePasswords: AuthProvider {
  package let id = ProviderID.password
  package let manifest = ProviderManifest(
    name: "Passwords", kind: .password,
    builders: [
      CredentialBuilder(
        "credential",
        fields: [
          CredentialField("email", type: .email, "the address"),
          CredentialField("password", secret: true, "the password"),
        ])
    ])

  package init() {}

  package func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let email = try EmailAddress(try credential.required("email"))
    let password = try credential.required("password")
    var identity = VerifiedIdentity(provider: id, key: .password(email), email: email)
    switch context.purpose {
    case .enroll: identity.secret = .chosen(encoded: password)
    case .signIn:
      guard try await context.storedSecret(.password(email))?.encoded == password else {
        throw AuthError(.invalidCredential, "The password is wrong.", step: .credential)
      }
      identity.secret = .matched(encoded: password, rehashed: nil)
    }
    return identity
  }
}
