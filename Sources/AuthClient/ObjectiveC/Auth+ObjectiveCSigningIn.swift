#if canImport(ObjectiveC)
  import Foundation

  /// Signing in and out by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(signInWithCredential:completion:)
    public func objectiveCSignIn(
      with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signIn(with: credential, completion: completion)
    }

    @objc(signInWithProvider:UIDelegate:completion:)
    public func objectiveCSignIn(
      with provider: OAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signIn(with: provider, uiDelegate: uiDelegate, completion: completion)
    }

    @objc(signInWithEmail:password:completion:)
    public func objectiveCSignIn(
      withEmail email: String, password: String,
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signIn(withEmail: email, password: password, completion: completion)
    }

    @objc(signInWithEmail:link:completion:)
    public func objectiveCSignIn(
      withEmail email: String, link: String, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signIn(withEmail: email, link: link, completion: completion)
    }

    @objc(signInAnonymouslyWithCompletion:)
    public func objectiveCSignInAnonymously(
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signInAnonymously(completion: completion)
    }

    @objc(signInWithCustomToken:completion:)
    public func objectiveCSignIn(
      withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      signIn(withCustomToken: token, completion: completion)
    }

    @objc(createUserWithEmail:password:completion:)
    public func objectiveCCreateUser(
      withEmail email: String, password: String,
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      createUser(withEmail: email, password: password, completion: completion)
    }

    @objc(updateCurrentUser:completion:)
    public func objectiveCUpdateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)?) {
      updateCurrentUser(user, completion: completion)
    }

    @objc(revokeTokenWithAuthorizationCode:completion:)
    public func objectiveCRevokeToken(
      withAuthorizationCode code: String, completion: (((any Error)?) -> Void)?
    ) {
      revokeToken(withAuthorizationCode: code, completion: completion)
    }

    @objc(signOut:)
    public func objectiveCSignOut() throws {
      try signOut()
    }
  }
#endif
