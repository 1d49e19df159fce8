#if canImport(ObjectiveC)
  public import Foundation

  /// A provider's factory by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension OAuthProvider {
    @objc(id) public static var objectiveCID: String { id }
    @objc(providerID) public var objectiveCProviderID: String { providerID }

    @objc(scopes) public var objectiveCScopes: [String]? {
      get { scopes }
      set { scopes = newValue }
    }

    @objc(customParameters) public var objectiveCCustomParameters: [String: String]? {
      get { customParameters }
      set { customParameters = newValue }
    }

    @objc(initWithProviderID:auth:)
    public convenience init(objectiveCProviderID providerID: String, auth: Auth) {
      self.init(providerID: providerID, auth: auth)
    }

    @objc(getCredentialWithUIDelegate:completion:)
    public func objectiveCGetCredentialWith(
      _ uiDelegate: (any AuthUIDelegate & Sendable)?,
      completion: ((AuthCredential?, (any Error)?) -> Void)?
    ) {
      getCredentialWith(uiDelegate, completion: completion)
    }

    @objc(appleCredentialWithIDToken:rawNonce:fullName:)
    public static func objectiveCAppleCredential(
      withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> OAuthCredential {
      appleCredential(withIDToken: idToken, rawNonce: rawNonce, fullName: fullName)
    }
  }

  /// Factories with a provider's ID as text; in Swift they take an ``AuthProviderID``.
  @available(swift, obsoleted: 1)
  extension OAuthProvider {
    @objc(providerWithProviderID:)
    public static func objectiveCProvider(_ providerID: String) -> OAuthProvider {
      OAuthProvider(providerID: providerID)
    }

    @objc(providerWithProviderID:auth:)
    public static func objectiveCProvider(_ providerID: String, auth: Auth) -> OAuthProvider {
      OAuthProvider(providerID: providerID, auth: auth)
    }

    @objc(credentialWithProviderID:IDToken:rawNonce:)
    public static func objectiveCCredential(
      _ providerID: String, idToken: String, rawNonce: String
    ) -> OAuthCredential {
      credential(providerID: .custom(providerID), idToken: idToken, rawNonce: rawNonce)
    }

    @objc(credentialWithProviderID:IDToken:accessToken:)
    public static func objectiveCCredential(
      _ providerID: String, idToken: String, accessToken: String?
    ) -> OAuthCredential {
      credential(providerID: .custom(providerID), idToken: idToken, accessToken: accessToken)
    }

    @objc(credentialWithProviderID:accessToken:)
    public static func objectiveCCredential(
      _ providerID: String, accessToken: String
    ) -> OAuthCredential {
      credential(providerID: .custom(providerID), accessToken: accessToken)
    }

    @objc(credentialWithProviderID:IDToken:rawNonce:accessToken:)
    public static func objectiveCCredential(
      _ providerID: String, idToken: String, rawNonce: String, accessToken: String?
    ) -> OAuthCredential {
      credential(
        providerID: .custom(providerID), idToken: idToken, rawNonce: rawNonce,
        accessToken: accessToken)
    }
  }
#endif
