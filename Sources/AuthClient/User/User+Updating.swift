import AuthValues
import Foundation

extension User {
  /// Asks the server what the account is now.
  ///
  /// Where the account is gone, disabled or its sessions were ended, the user is signed out here and the error is
  /// thrown: `userNotFound`, `userDisabled` or `userTokenExpired`.
  public func reload() async throws {
    try await withToken { token in
      let record = try await auth.toolkit.lookup(token)
      try update { user in
        record.update(&user)
        if !user.providers.isEmpty { user.isAnonymous = false }
      }
    }
  }

  /// Begins a change of the name or the picture.
  public func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(user: self)
  }

  /// Gives the account another address without asking its owner first, if a project allows that.
  ///
  /// A verified address gives way to a proven one alone.
  /// ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` is what most projects want. Throws
  /// `requiresRecentLogin`, `emailAlreadyInUse`, `invalidEmail` or `operationNotAllowed`.
  public func updateEmail(to email: String) async throws {
    try await change(["email": .string(email)])
  }

  /// Gives the account a new password, or its first one where it has an address.
  ///
  /// Throws `weakPassword`, `requiresRecentLogin` or `passwordDoesNotMeetRequirements`.
  public func updatePassword(to password: String) async throws {
    guard !password.isEmpty else { throw NSError.auth(.weakPassword) }
    try await change(["password": .string(password)])
  }

  /// Sends a message with a link that verifies the account's address.
  public func sendEmailVerification(with settings: ActionCodeSettings? = nil) async throws {
    try await sendCode("VERIFY_EMAIL", [:], settings)
  }

  /// Sends a message to a new address with a link that makes it the account's.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendCode(
      "VERIFY_AND_CHANGE_EMAIL", ["newEmail": .string(newEmail)], actionCodeSettings)
  }

  /// Deletes the account, and signs it out here.
  ///
  /// Throws `requiresRecentLogin` (17014).
  public func delete() async throws {
    try await withToken { token in
      _ = try await auth.toolkit.call(.delete, ["idToken": .string(token)])
      auth.end(self)
    }
  }

  /// Changes the account and takes over what it is then.
  func change(_ members: [String: JSONValue]) async throws {
    try await withToken { token in
      var members = members
      members["idToken"] = .string(token)
      members["returnSecureToken"] = true
      takeTokens(of: try await auth.toolkit.call(.update, members))
      try auth.changed(self)
      try await reload()
    }
  }

  private func sendCode(
    _ kind: String, _ more: [String: JSONValue], _ settings: ActionCodeSettings?
  ) async throws {
    try await withToken { token in
      var members = settings?.members ?? [:]
      members.merge(more) { $1 }
      members["requestType"] = .string(kind)
      members["idToken"] = .string(token)
      _ = try await auth.toolkit.call(.sendOobCode, members)
    }
  }
}
