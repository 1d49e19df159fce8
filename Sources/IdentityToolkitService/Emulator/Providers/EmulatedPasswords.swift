public import AuthCore

/// The text that the emulator stores for a password: `fakeHash:salt=<salt>:password=<password>`.
///
/// It hides nothing and is for tests alone. A hash exported in this form works after an import.
struct EmulatedHash: Sendable, Hashable {
  let salt: String
  let password: String

  init(salt: String, password: String) {
    self.salt = salt
    self.password = password
  }

  /// Makes a hash with a new salt.
  init(choosing password: String) {
    self.init(salt: "fakeSalt" + RandomText.letters(20), password: password)
  }

  /// Reads the stored text, or returns nil for a text of another form.
  init?(_ text: String) {
    let prefix = "fakeHash:salt="
    guard text.hasPrefix(prefix) else { return nil }
    let rest = text.dropFirst(prefix.count)
    guard let middle = rest.firstRange(of: ":password=") else { return nil }
    self.init(
      salt: String(rest[..<middle.lowerBound]), password: String(rest[middle.upperBound...]))
  }

  var text: String { "fakeHash:salt=\(salt):password=\(password)" }
}

/// Signs in by e-mail address and password as Firebase's emulator does, with passwords stored in the clear.
public struct EmulatedPasswordProvider: AuthProvider {
  /// The ID of the password provider.
  public let id = ProviderID.password
  /// The manifest of the provider that this one replaces.
  public let manifest: ProviderManifest

  /// Replaces another provider of passwords, and keeps its credential builders.
  public init(over provider: any AuthProvider) {
    manifest = provider.manifest
  }

  /// The shortest password, in UTF-16 units.
  private static let minimumLength = 6

  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let email = try EmailAddress(try credential.required("email"))
    let password = try credential.required("password")
    var identity = VerifiedIdentity(provider: id, key: .password(email), email: email)
    switch context.purpose {
    case .enroll:
      guard password.utf16.count >= Self.minimumLength else {
        throw AuthError(
          .weakPassword, "A password has at least \(Self.minimumLength) characters.",
          field: "password", remedy: "Choose a longer one.", step: .credential)
      }
      identity.secret = .chosen(encoded: EmulatedHash(choosing: password).text)
    case .signIn:
      guard let stored = try await context.storedSecret(.password(email))?.encoded else {
        throw Self.wrong.failing("No account has a password for this address.")
      }
      guard let kept = EmulatedHash(stored), kept.password.isExactly(password) else {
        throw Self.wrong.failing("The password is not the account's.")
      }
      identity.secret = .matched(encoded: stored, rehashed: nil)
    }
    return identity
  }

  private static let wrong = AuthError(
    .invalidCredential, "The e-mail address or the password is wrong.",
    remedy: "Check both and sign in again.", step: .credential)
}
