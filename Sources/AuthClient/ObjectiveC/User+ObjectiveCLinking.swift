#if canImport(ObjectiveC)
  import Foundation

  /// Linking by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension User {
    @objc(linkWithCredential:completion:)
    public func objectiveCLink(
      with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      link(with: credential, completion: completion)
    }

    @objc(linkWithCredential:fromUser:completion:)
    public func objectiveCLink(
      with credential: AuthCredential, from other: User,
      completion: ((User?, (any Error)?) -> Void)?
    ) {
      link(with: credential, from: other, completion: completion)
    }

    @objc(linkWithProvider:UIDelegate:completion:)
    public func objectiveCLink(
      with provider: OAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      link(with: provider, uiDelegate: uiDelegate, completion: completion)
    }

    @objc(reauthenticateWithProvider:UIDelegate:completion:)
    public func objectiveCReauthenticate(
      with provider: OAuthProvider, uiDelegate: (any AuthUIDelegate & Sendable)?,
      completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      reauthenticate(with: provider, uiDelegate: uiDelegate, completion: completion)
    }

    @objc(unlinkFromProvider:completion:)
    public func objectiveCUnlink(
      fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)?
    ) {
      unlink(fromProvider: provider, completion: completion)
    }

    @objc(reauthenticateWithCredential:completion:)
    public func objectiveCReauthenticate(
      with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      reauthenticate(with: credential, completion: completion)
    }
  }
#endif
