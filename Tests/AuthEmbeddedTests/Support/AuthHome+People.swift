import AuthClient
import Foundation

/// People with accounts, signed in.
extension AuthHome {
  /// Somebody new with a password.
  @discardableResult
  func ada(_ email: String = "ada@example.com", on auth: Auth? = nil) async throws -> User {
    try await (auth ?? self.auth).createUser(withEmail: email, password: Self.password).user
  }

  /// Somebody new with a password, whose address is verified.
  @discardableResult
  func verifiedAda(
    _ email: String = "ada@example.com", on auth: Auth? = nil
  ) async throws -> User {
    let user = try await ada(email, on: auth)
    try await verifyEmail(of: user)
    return user
  }

  /// Adds a phone as a second factor of somebody.
  func enrollPhone(
    _ number: String = number, for user: User, on auth: Auth? = nil, name: String? = nil
  ) async throws {
    let session = try await user.multiFactor.session()
    let provider = PhoneAuthProvider.provider(auth: auth ?? self.auth)
    let id = try await provider.verifyPhoneNumber(number, multiFactorSession: session)
    let credential = provider.credential(
      withVerificationID: id, verificationCode: try lastMessage(to: number))
    try await user.multiFactor.enroll(
      with: PhoneMultiFactorGenerator.assertion(with: credential), displayName: name)
  }
}

extension User {
  /// The ways in that the account has, in order of their names.
  var providerIDs: [String] { providerData.map(\.providerID).sorted() }
}
