#if canImport(ObjectiveC)
  import Foundation

  /// Credentials of addresses by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension EmailAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithEmail:password:)
    public static func objectiveCCredential(
      withEmail email: String, password: String
    ) -> AuthCredential {
      credential(withEmail: email, password: password)
    }

    @objc(credentialWithEmail:link:)
    public static func objectiveCCredential(
      withEmail email: String, link: String
    ) -> AuthCredential {
      credential(withEmail: email, link: link)
    }
  }

  /// Credentials of Google by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension GoogleAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithIDToken:accessToken:)
    public static func objectiveCCredential(
      withIDToken idToken: String, accessToken: String
    ) -> AuthCredential {
      credential(withIDToken: idToken, accessToken: accessToken)
    }
  }

  /// Credentials of Facebook by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FacebookAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithAccessToken:)
    public static func objectiveCCredential(withAccessToken accessToken: String) -> AuthCredential {
      credential(withAccessToken: accessToken)
    }
  }

  /// Credentials of Twitter by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension TwitterAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithToken:secret:)
    public static func objectiveCCredential(
      withToken token: String, secret: String
    ) -> AuthCredential {
      credential(withToken: token, secret: secret)
    }
  }

  /// Credentials of GitHub by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension GitHubAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithToken:)
    public static func objectiveCCredential(withToken token: String) -> AuthCredential {
      credential(withToken: token)
    }
  }
#endif
