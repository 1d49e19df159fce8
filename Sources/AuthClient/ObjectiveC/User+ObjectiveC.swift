#if canImport(ObjectiveC)
  import Foundation

  /// An account by its Objective-C names.
  ///
  /// Those of ``UserInfo`` come from the protocol.
  @available(swift, obsoleted: 1)
  extension User {
    @objc(isAnonymous) public var objectiveCIsAnonymous: Bool { isAnonymous }
    @objc(anonymous) public var objectiveCAnonymous: Bool { isAnonymous }
    @objc(isEmailVerified) public var objectiveCIsEmailVerified: Bool { isEmailVerified }
    @objc(emailVerified) public var objectiveCEmailVerified: Bool { isEmailVerified }
    @objc(providerData) public var objectiveCProviderData: [any UserInfo] { providerData }
    @objc(metadata) public var objectiveCMetadata: UserMetadata { metadata }
    @objc(tenantID) public var objectiveCTenantID: String? { tenantID }
    @objc(refreshToken) public var objectiveCRefreshToken: String? { refreshToken }
    @objc(multiFactor) public var objectiveCMultiFactor: MultiFactor { multiFactor }

    @objc(profileChangeRequest)
    public func objectiveCProfileChangeRequest() -> UserProfileChangeRequest {
      createProfileChangeRequest()
    }

    @objc(reloadWithCompletion:)
    public func objectiveCReload(completion: (((any Error)?) -> Void)?) {
      reload(completion: completion)
    }

    @objc(getIDTokenWithCompletion:)
    public func objectiveCGetIDToken(completion: ((String?, (any Error)?) -> Void)?) {
      getIDToken(completion: completion)
    }

    @objc(getIDTokenForcingRefresh:completion:)
    public func objectiveCGetIDTokenForcingRefresh(
      _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?
    ) {
      getIDTokenForcingRefresh(forceRefresh, completion: completion)
    }

    @objc(getIDTokenResultWithCompletion:)
    public func objectiveCGetIDTokenResult(
      completion: ((AuthTokenResult?, (any Error)?) -> Void)?
    ) {
      getIDTokenResult(completion: completion)
    }

    @objc(getIDTokenResultForcingRefresh:completion:)
    public func objectiveCGetIDTokenResult(
      forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)?
    ) {
      getIDTokenResult(forcingRefresh: forcingRefresh, completion: completion)
    }

    @objc(deleteWithCompletion:)
    public func objectiveCDelete(completion: (((any Error)?) -> Void)?) {
      delete(completion: completion)
    }
  }
#endif
