public import AuthCore

/// The text that the emulator keeps of a password: `fakeHash:salt=<salt>:password=<password>`.
///
/// It hides nothing and is for tests alone. What was exported in this form works after an import.
struct EmulatedHash: Sendable, Hashable {
  let salt: String
  let password: String

  init(salt: String, password: String) {
    self.salt = salt
    self.password = password
  }

  /// Makes one with a salt of its own.
  init(choosing password: String) {
    self.init(salt: "fakeSalt" + RandomText.letters(20), password: password)
  }

  /// Takes the text apart; nil where it is none of these.
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

/// Signs in by e-mail address and password as Firebase's emulator does, with passwords that are not hidden.
public struct EmulatedPasswordProvider: AuthProvider {
  public let id = ProviderID.password
  public let manifest: ProviderManifest

  /// Makes it in place of another provider of passwords, whose builders it keeps.
  public init(over provider: any AuthProvider) {
    manifest = provider.manifest
  }

  /// The shortest password, in UTF-16 units.
  private static let minimumLength = 6

  public func verify(
    _ credential: AuthCredential, _ context: VerificationContext
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
