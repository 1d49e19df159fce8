#if canImport(ObjectiveC)
  import Foundation

  /// Factories with a provider's ID as text; in Swift they take an ``AuthProviderID``.
  extension OAuthProvider {
    @objc(providerWithProviderID:)
    static func objectiveCProvider(_ providerID: String) -> OAuthProvider {
      OAuthProvider(providerID: providerID)
    }

    @objc(credentialWithProviderID:IDToken:accessToken:)
    static func objectiveCCredential(
      _ providerID: String, idToken: String, accessToken: String?
    ) -> OAuthCredential {
      credential(
        providerID: .custom(providerID), idToken: idToken, accessToken: accessToken)
    }

    @objc(credentialWithProviderID:accessToken:)
    static func objectiveCCredential(
      _ providerID: String, accessToken: String
    ) -> OAuthCredential {
      credential(providerID: .custom(providerID), accessToken: accessToken)
    }

    @objc(credentialWithProviderID:IDToken:rawNonce:accessToken:)
    static func objectiveCCredential(
      _ providerID: String, idToken: String, rawNonce: String, accessToken: String?
    ) -> OAuthCredential {
      credential(
        providerID: .custom(providerID), idToken: idToken, rawNonce: rawNonce,
        accessToken: accessToken)
    }
  }
#endif
