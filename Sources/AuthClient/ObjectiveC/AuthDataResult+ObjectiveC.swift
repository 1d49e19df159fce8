#if canImport(ObjectiveC)
  public import Foundation

  /// Results by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension AuthDataResult {
    @objc(user) public var objectiveCUser: User { user }

    @objc(additionalUserInfo)
    public var objectiveCAdditionalUserInfo: AdditionalUserInfo? { additionalUserInfo }
    @objc(credential) public var objectiveCCredential: OAuthCredential? { credential }
    @objc(mergedFrom) public var objectiveCMergedFrom: [String] { mergedFrom }
  }

  /// A provider's claims by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension AdditionalUserInfo {
    @objc(providerID) public var objectiveCProviderID: String { providerID }
    @objc(username) public var objectiveCUsername: String? { username }
    @objc(isNewUser) public var objectiveCIsNewUser: Bool { isNewUser }
    @objc(newUser) public var objectiveCNewUser: Bool { isNewUser }
    @objc(profile) public var objectiveCProfile: [String: Any]? { profile }
  }

  /// A token's content by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension AuthTokenResult {
    @objc(token) public var objectiveCToken: String { token }
    @objc(expirationDate) public var objectiveCExpirationDate: Date { expirationDate }
    @objc(authDate) public var objectiveCAuthDate: Date { authDate }
    @objc(issuedAtDate) public var objectiveCIssuedAtDate: Date { issuedAtDate }
    @objc(signInProvider) public var objectiveCSignInProvider: String { signInProvider }
    @objc(signInSecondFactor) public var objectiveCSignInSecondFactor: String { signInSecondFactor }
    @objc(claims) public var objectiveCClaims: [String: Any] { claims }
  }

  /// An account's times by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension UserMetadata {
    @objc(creationDate) public var objectiveCCreationDate: Date? { creationDate }
    @objc(lastSignInDate) public var objectiveCLastSignInDate: Date? { lastSignInDate }
  }
#endif
