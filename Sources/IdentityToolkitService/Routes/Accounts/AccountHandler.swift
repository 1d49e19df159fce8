import AuthCore
import IdentityToolkit

/// Sign-up, sign-in and changes of one's own account, or of any account as an admin.
struct AccountHandler: RequestHandler {
  let call: Call

  func passwordCredential(_ email: EmailAddress, _ password: String) throws -> Credential {
    try graph.providers.credential(.password, ["email": email.text, "password": password])
  }

  /// Returns the account of an address: the one that verified it, or else the one with a password for it.
  func holder(of email: EmailAddress) async throws -> Account? {
    let found = try await accounts(with: email)
    return found.first(where: \.emailVerified) ?? found.first { $0.passwordIdentity != nil }
      ?? found.first
  }

  /// Returns every account with an address.
  func accounts(with email: EmailAddress) async throws -> [Account] {
    var filter = AccountFilter()
    filter.email = email
    return try await graph.accounts(matching: filter, limit: 100, in: scope)
  }

  /// Runs an operation on passwords, and adds Firebase's details to its errors.
  func refusingAsFirebase<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError {
      switch error.code {
      case .passwordDoesNotMeetRequirements:
        throw WireError("PASSWORD_DOES_NOT_MEET_REQUIREMENTS", error.message)
      case .weakPassword: throw WireError.weakPassword
      case .invalidDisplayName: throw WireError("INVALID_DISPLAY_NAME")
      case .invalidPhotoURL: throw WireError("INVALID_PHOTO_URL")
      default: throw error
      }
    }
  }
}

extension WireError {
  static let weakPassword = WireError(
    "WEAK_PASSWORD", "Password should be at least 6 characters")
}
