import AuthValues
import Foundation

extension User {
  /// Reloads the account from the server.
  ///
  /// If the account was deleted or disabled, or its sessions were ended, the user is signed out and the call throws
  /// `userNotFound`, `userDisabled` or `userTokenExpired`. An ID token that has only expired is refreshed.
  public func reload() async throws {
    // An answer that a change overtook would undo what the change has brought.
    while true {
      let edition = edition
      let record = try await lookup(for: .reading)
      if try update(asOf: edition, record.reload) { return }
    }
  }

  /// Reloads the account as the end of a change, in the same turn.
  func reloadInTurn() async throws {
    try update(try await lookup(for: .changing).reload)
  }

  /// Begins a change of the name or the picture.
  public func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(user: self)
  }

  /// Sets another address without verifying it first, if the project allows that.
  ///
  /// A verified address is only replaced by a verified one. Most projects want
  /// ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)``. Throws `requiresRecentLogin`,
  /// `emailAlreadyInUse`, `invalidEmail` or `operationNotAllowed`.
  public func updateEmail(to email: String) async throws {
    try await change(["email": .string(email)])
  }

  /// Sets a new password, or the first one of an account with an address.
  ///
  /// Throws `weakPassword`, `requiresRecentLogin` or `passwordDoesNotMeetRequirements`.
  public func updatePassword(to password: String) async throws {
    guard !password.isEmpty else { throw NSError.missingPassword }
    try await change(["password": .string(password)])
  }

  /// Sends a message with a link that verifies the account's address.
  public func sendEmailVerification(with settings: ActionCodeSettings? = nil) async throws {
    try await sendCode("VERIFY_EMAIL", [:], settings)
  }

  /// Sends a message to a new address, with a link that sets it as the account's.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendCode(
      "VERIFY_AND_CHANGE_EMAIL", ["newEmail": .string(newEmail)], actionCodeSettings)
  }

  /// Deletes the account and signs the user out.
  ///
  /// A ``User`` that is kept afterwards still returns its cached ID token until it expires, because that token cannot be
  /// withdrawn. Everything that asks the server throws `userNotFound`.
  ///
  /// Throws `requiresRecentLogin` (17014).
  public func delete() async throws {
    try await changingTokens {
      try await self.auth.toolkit.call(.delete, ["idToken": .string($0)])
    } taking: { _ in
      self.auth.end(self)
    }
  }

  /// Changes the account and applies the answer.
  func change(_ members: [String: JSONValue]) async throws {
    try await changingTokens { token in
      var members = members
      members["idToken"] = .string(token)
      members["returnSecureToken"] = true
      return try await self.auth.toolkit.call(.update, members)
    } taking: {
      self.takeTokens(of: $0)
      try self.auth.changed(self)
      try await self.reloadInTurn()
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
      return try await auth.toolkit.call(.sendOobCode, members)
    }
  }
}

extension AccountRecord {
  fileprivate func reload(_ user: inout StoredUser) {
    update(&user)
    if !user.providers.isEmpty { user.isAnonymous = false }
  }
}
