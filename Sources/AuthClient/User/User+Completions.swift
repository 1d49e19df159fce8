import Foundation

/// The calls that do not wait, for code without `async`.
extension User {
  /// Does ``link(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(linkWithCredential:completion:)
  #endif
  public func link(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.link(with: credential) }
  }

  /// Does ``unlink(fromProvider:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(unlinkFromProvider:completion:)
  #endif
  public func unlink(
    fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.unlink(fromProvider: provider) }
  }

  /// Does ``reauthenticate(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(reauthenticateWithCredential:completion:)
  #endif
  public func reauthenticate(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.reauthenticate(with: credential) }
  }

  /// Does ``reload()`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(reloadWithCompletion:)
  #endif
  public func reload(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.reload() }
  }

  /// Does ``getIDToken(forcingRefresh:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(getIDTokenWithCompletion:)
  #endif
  public func getIDToken(
    completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDToken() }
  }

  /// Does ``getIDToken(forcingRefresh:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(getIDTokenForcingRefresh:completion:)
  #endif
  public func getIDTokenForcingRefresh(
    _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) }
  }

  /// Does ``getIDTokenResult(forcingRefresh:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(getIDTokenResultWithCompletion:)
  #endif
  public func getIDTokenResult(
    completion: ((AuthTokenResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDTokenResult() }
  }

  /// Does ``getIDTokenResult(forcingRefresh:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(getIDTokenResultForcingRefresh:completion:)
  #endif
  public func getIDTokenResult(
    forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
  }

  /// Does ``updateEmail(to:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(updateEmail:completion:)
  #endif
  public func updateEmail(
    to email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updateEmail(to: email) }
  }

  /// Does ``updatePassword(to:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(updatePassword:completion:)
  #endif
  public func updatePassword(
    to password: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updatePassword(to: password) }
  }

  /// Does ``updatePhoneNumber(_:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(updatePhoneNumberCredential:completion:)
  #endif
  public func updatePhoneNumber(
    _ credential: PhoneAuthCredential, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.updatePhoneNumber(credential) }
  }

  /// Does ``sendEmailVerification(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(sendEmailVerificationWithCompletion:)
  #endif
  public func sendEmailVerification(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification() }
  }

  /// Does ``sendEmailVerification(with:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(sendEmailVerificationWithActionCodeSettings:completion:)
  #endif
  public func sendEmailVerification(
    with settings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification(with: settings) }
  }

  /// Does ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(sendEmailVerificationBeforeUpdatingEmail:completion:)
  #endif
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendEmailVerification(beforeUpdatingEmail: newEmail) }
  }

  /// Does ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(sendEmailVerificationBeforeUpdatingEmail:actionCodeSettings:completion:)
  #endif
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.sendEmailVerification(
        beforeUpdatingEmail: newEmail, actionCodeSettings: actionCodeSettings)
    }
  }

  /// Does ``delete()`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(deleteWithCompletion:)
  #endif
  public func delete(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.delete() }
  }

  /// Does ``link(with:uiDelegate:)`` and calls back on the main queue.
  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: AuthDataResultCallback?
  ) {
    complete(completion) { try await self.link(with: provider, uiDelegate: uiDelegate) }
  }

  /// Does ``reauthenticate(with:uiDelegate:)`` and calls back on the main queue.
  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: AuthDataResultCallback?
  ) {
    complete(completion) { try await self.reauthenticate(with: provider, uiDelegate: uiDelegate) }
  }
}
