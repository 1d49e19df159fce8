import Foundation

/// Variants with a completion, for code without `async`.
extension Auth {
  /// Runs ``signIn(with:)`` and calls back on the main queue.
  public func signIn(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.signIn(with: credential) }
  }

  /// Runs ``signIn(withEmail:password:)`` and calls back on the main queue.
  public func signIn(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.signIn(withEmail: email, password: password) }
  }

  /// Runs ``signIn(withEmail:link:)`` and calls back on the main queue.
  public func signIn(
    withEmail email: String, link: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.signIn(withEmail: email, link: link) }
  }

  /// Runs ``signInAnonymously()`` and calls back on the main queue.
  public func signInAnonymously(
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.signInAnonymously() }
  }

  /// Runs ``signIn(withCustomToken:)`` and calls back on the main queue.
  public func signIn(
    withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.signIn(withCustomToken: token) }
  }

  /// Runs ``createUser(withEmail:password:)`` and calls back on the main queue.
  public func createUser(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.createUser(withEmail: email, password: password) }
  }

  /// Runs ``fetchSignInMethods(forEmail:)`` and calls back on the main queue.
  @available(*, deprecated, message: "Most projects do not reveal which addresses have accounts.")
  public func fetchSignInMethods(
    forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.fetchSignInMethods(forEmail: email) }
  }

  /// Runs ``sendPasswordReset(withEmail:actionCodeSettings:)`` and calls back on the main queue.
  public func sendPasswordReset(
    withEmail email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.sendPasswordReset(withEmail: email) }
  }

  /// Runs ``sendPasswordReset(withEmail:actionCodeSettings:)`` and calls back on the main queue.
  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.sendPasswordReset(
        withEmail: email, actionCodeSettings: actionCodeSettings)
    }
  }

  /// Runs ``confirmPasswordReset(withCode:newPassword:)`` and calls back on the main queue.
  public func confirmPasswordReset(
    withCode code: String, newPassword: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.confirmPasswordReset(withCode: code, newPassword: newPassword)
    }
  }

  /// Runs ``verifyPasswordResetCode(_:)`` and calls back on the main queue.
  public func verifyPasswordResetCode(
    _ code: String, completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.verifyPasswordResetCode(code) }
  }

  /// Runs ``checkActionCode(_:)`` and calls back on the main queue.
  public func checkActionCode(
    _ code: String, completion: ((ActionCodeInfo?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.checkActionCode(code) }
  }

  /// Runs ``applyActionCode(_:)`` and calls back on the main queue.
  public func applyActionCode(
    _ code: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.applyActionCode(code) }
  }

  /// Runs ``sendSignInLink(toEmail:actionCodeSettings:)`` and calls back on the main queue.
  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings)
    }
  }

  /// Runs ``revokeToken(withAuthorizationCode:)`` and calls back on the main queue.
  public func revokeToken(
    withAuthorizationCode code: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.revokeToken(withAuthorizationCode: code) }
  }

  /// Runs ``merge(_:into:policy:)`` and calls back on the main queue.
  public func merge(
    _ user: User, into survivor: User, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.merge(user, into: survivor) }
  }

  /// Runs ``updateCurrentUser(_:)`` and calls back on the main queue; nil gives `nullUser`.
  public func updateCurrentUser(
    _ user: User?, completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      guard let user else { throw NSError.auth(.nullUser) }
      try await self.updateCurrentUser(user)
    }
  }

  /// Runs ``merge(_:into:policy:)`` and calls back on the main queue.
  public func merge(
    _ user: User, into survivor: User, policy: AccountMergePolicy,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.merge(user, into: survivor, policy: policy) }
  }

  /// Runs ``planMerge(of:into:policy:)`` and calls back on the main queue.
  public func planMerge(
    of user: User, into survivor: User, policy: AccountMergePolicy = .project,
    completion: ((AccountMergePlan?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.planMerge(of: user, into: survivor, policy: policy) }
  }

  /// Runs ``signIn(with:uiDelegate:)`` and calls back on the main queue.
  public func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: AuthDataResultCallback?
  ) {
    complete(completion) { try await self.signIn(with: provider, uiDelegate: uiDelegate) }
  }
}
