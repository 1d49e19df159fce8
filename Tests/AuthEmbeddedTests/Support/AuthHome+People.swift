import AuthClient
import Foundation

/// People with accounts, signed in.
extension AuthHome {
  /// Creates an account with a password.
  @discardableResult
  func ada(_ email: String = "ada@example.com", on auth: Auth? = nil) async throws -> User {
    try await (auth ?? self.auth).createUser(withEmail: email, password: Self.password).user
  }

  /// Creates an account with a password and a verified address.
  @discardableResult
  func verifiedAda(
    _ email: String = "ada@example.com", on auth: Auth? = nil
  ) async throws -> User {
    let user = try await ada(email, on: auth)
    try await verifyEmail(of: user)
    return user
  }

  /// Enrols a phone as a user's second factor.
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
  /// The providers of the account, sorted.
  var providerIDs: [String] { providerData.map(\.providerID).sorted() }
}
