import Foundation

/// Variants with a completion, for code without `async`.
extension User {
  /// Runs ``link(with:)`` and calls back on the main queue.
  public func link(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.link(with: credential) }
  }

  /// Runs ``unlink(fromProvider:)`` and calls back on the main queue.
  public func unlink(
    fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unlink(fromProvider: provider) }
  }

  /// Runs ``reauthenticate(with:)`` and calls back on the main queue.
  public func reauthenticate(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.reauthenticate(with: credential) }
  }

  /// Runs ``reload()`` and calls back on the main queue.
  public func reload(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.reload() }
  }

  /// Runs ``getIDToken(forcingRefresh:)`` and calls back on the main queue.
  public func getIDToken(
    completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDToken() }
  }

  /// Runs ``getIDToken(forcingRefresh:)`` and calls back on the main queue.
  public func getIDTokenForcingRefresh(
    _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) }
  }

  /// Runs ``getIDTokenResult(forcingRefresh:)`` and calls back on the main queue.
  public func getIDTokenResult(
    completion: ((AuthTokenResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDTokenResult() }
  }

  /// Runs ``getIDTokenResult(forcingRefresh:)`` and calls back on the main queue.
  public func getIDTokenResult(
    forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
  }

  /// Runs ``updateEmail(to:)`` and calls back on the main queue.
  public func updateEmail(
    to email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updateEmail(to: email) }
  }

  /// Runs ``updatePassword(to:)`` and calls back on the main queue.
  public func updatePassword(
    to password: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updatePassword(to: password) }
  }

  /// Runs ``updatePhoneNumber(_:)`` and calls back on the main queue.
  public func updatePhoneNumber(
    _ credential: PhoneAuthCredential, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updatePhoneNumber(credential) }
  }

  /// Runs ``sendEmailVerification(with:)`` and calls back on the main queue.
  public func sendEmailVerification(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification() }
  }

  /// Runs ``sendEmailVerification(with:)`` and calls back on the main queue.
  public func sendEmailVerification(
    with settings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification(with: settings) }
  }

  /// Runs ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` and calls back on the main queue.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification(beforeUpdatingEmail: newEmail) }
  }

  /// Runs ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` and calls back on the main queue.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.sendEmailVerification(
        beforeUpdatingEmail: newEmail, actionCodeSettings: actionCodeSettings)
    }
  }

  /// Runs ``delete()`` and calls back on the main queue.
  public func delete(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.delete() }
  }

  /// Runs ``link(with:uiDelegate:)`` and calls back on the main queue.
  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: AuthDataResultCallback?
  ) {
    complete(completion) { try await self.link(with: provider, uiDelegate: uiDelegate) }
  }

  /// Runs ``reauthenticate(with:uiDelegate:)`` and calls back on the main queue.
  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: AuthDataResultCallback?
  ) {
    complete(completion) { try await self.reauthenticate(with: provider, uiDelegate: uiDelegate) }
  }
}
