#if canImport(ObjectiveC)
  import Foundation

  /// Credentials by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension AuthCredential {
    @objc(provider) public var objectiveCProvider: String { provider }

    @objc(initWithProvider:fields:)
    public convenience init(objectiveCProvider provider: String, fields: [String: String]) {
      self.init(provider: provider, fields: fields)
    }
  }

  /// A provider's tokens by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension OAuthCredential {
    @objc(IDToken) public var objectiveCIDToken: String? { idToken }
    @objc(accessToken) public var objectiveCAccessToken: String? { accessToken }
    @objc(secret) public var objectiveCSecret: String? { secret }
  }
#endif
