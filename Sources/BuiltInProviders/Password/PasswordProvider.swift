public import AuthCore
import Foundation

/// Signs in by e-mail address and password.
///
/// BuiltInProviders holds the providers that ship in Swift; start here or at ``AnonymousProvider``. The module
/// imports AuthCore and cryptography, and knows no store.
public struct PasswordProvider: AuthProvider {
  /// The ID `password`.
  public let id = ProviderID.password
  /// The provider's name and its builder.
  public let manifest = ProviderManifest(
    name: "E-mail and password", kind: .password,
    builders: [
      CredentialBuilder(
        "credential",
        fields: [
          CredentialField("email", type: .email, "the account's e-mail address"),
          CredentialField("password", secret: true, "the password"),
        ])
    ])

  /// The shortest password that Firebase takes, in UTF-16 units as its clients count them.
  public static let minimumLength = PasswordPolicy.shortest

  private let hasher: PasswordHasher

  /// Makes the provider; the hasher makes and checks password hashes.
  public init(hasher: PasswordHasher = PasswordHasher()) {
    self.hasher = hasher
  }

  /// Hashes a password for a record to import: base64 of a text that describes itself.
  ///
  /// Throws `password-too-long`, and `CancellationError`.
  public func recordHash(of password: String) async throws -> String {
    Data(try await hasher.hash(password).utf8).base64EncodedString()
  }

  /// Compares the password with the stored hash, or hashes a new password.
  ///
  /// Throws `invalid-credential` alike for an unknown address, a wrong password and a stored hash that cannot be
  /// read, after the same work; the last has the reason as its cause. Throws `weak-password` or
  /// `password-does-not-meet-requirements` for a new password that violates the scope's policy; the latter also at
  /// a sign-in, if the policy covers sign-ins.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let email = try EmailAddress(try credential.required("email"))
    let password = try credential.required("password")
    var identity = VerifiedIdentity(provider: id, key: .password(email), email: email)
    switch context.purpose {
    case .enroll:
      identity.secret = .chosen(encoded: try await choose(password, context.passwordPolicy))
    case .signIn:
      identity.secret = try await match(
        password, try await context.storedSecret(.password(email))?.encoded,
        Self.parameters(context))
      try context.passwordPolicy.checkAtSignIn(password)
    }
    return identity
  }

  private func choose(_ password: String, _ policy: PasswordPolicy) async throws -> String {
    try policy.check(password)
    guard password.utf8.count <= 4096 else {
      throw AuthError(
        .weakPassword, "A password has at most 4,096 bytes.", field: "password",
        remedy: "Choose a shorter one.", step: .credential)
    }
    return try await hasher.hash(password)
  }

  private func match(
    _ password: String, _ stored: String?, _ imported: [PasswordHashParameters]
  ) async throws -> VerifiedIdentity.SecretOutcome {
    guard password.utf8.count <= 4096 else { throw Self.wrong("No password is so long.") }
    let outcome: PasswordHasher.Verification
    do {
      outcome = try await hasher.verify(password, against: stored, imported: imported)
    } catch let error as PasswordHasherError where error.code == .computationFailed {
      throw AuthError(
        .internalError, error.message, remedy: error.remedy, step: .credential, cause: error)
    } catch let error as PasswordHasherError {
      throw Self.wrong("The stored hash cannot be read, or its parameters are gone.", error)
    }
    guard let stored else { throw Self.wrong("No account has a password for this address.") }
    guard case .match(let rehashNeeded) = outcome else {
      throw Self.wrong("The password is not the account's.")
    }
    return .matched(
      encoded: stored, rehashed: rehashNeeded ? try await hasher.hash(password) : nil)
  }

  /// The hash parameters of the scope; those that cannot be read are left out.
  private static func parameters(_ context: VerificationContext) -> [PasswordHashParameters] {
    context.passwordHashParameters.sorted { $0.key < $1.key }
      .compactMap { try? PasswordHashParameters(stored: $0.value) }
  }

  /// The error that tells only admins what is wrong.
  private static func wrong(
    _ check: StaticString, _ cause: PasswordHasherError? = nil
  ) -> AuthError {
    AuthError(
      .invalidCredential, "The e-mail address or the password is wrong.",
      remedy: "Check both and sign in again.", step: .credential, cause: cause
    ).failing(check)
  }
}
