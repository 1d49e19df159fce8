#if canImport(ObjectiveC)
  import Foundation

  /// Proofs by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension MultiFactorAssertion {
    @objc(factorID) public var objectiveCFactorID: String { factorID }
  }

  /// Proofs of a phone by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension PhoneMultiFactorGenerator {
    @objc(assertionWithCredential:)
    public static func objectiveCAssertion(
      with credential: PhoneAuthCredential
    ) -> PhoneMultiFactorAssertion {
      assertion(with: credential)
    }
  }

  /// Secrets and proofs of an authenticator app by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension TOTPMultiFactorGenerator {
    @objc(generateSecretWithMultiFactorSession:completion:)
    public static func objectiveCGenerateSecret(
      with session: MultiFactorSession, completion: ((TOTPSecret?, (any Error)?) -> Void)?
    ) {
      generateSecret(with: session, completion: completion)
    }

    @objc(assertionForEnrollmentWithSecret:oneTimePassword:)
    public static func objectiveCAssertionForEnrollment(
      with secret: TOTPSecret, oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
      assertionForEnrollment(with: secret, oneTimePassword: oneTimePassword)
    }

    @objc(assertionForSignInWithEnrollmentID:oneTimePassword:)
    public static func objectiveCAssertionForSignIn(
      withEnrollmentID enrollmentID: String, oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
      assertionForSignIn(withEnrollmentID: enrollmentID, oneTimePassword: oneTimePassword)
    }
  }

  /// A secret by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension TOTPSecret {
    @objc(sharedSecretKey)
    public func objectiveCSharedSecretKey() -> String {
      sharedSecretKey()
    }

    @objc(generateQRCodeURLWithAccountName:issuer:)
    public func objectiveCGenerateQRCodeURL(
      withAccountName accountName: String, issuer: String
    ) -> String {
      generateQRCodeURL(withAccountName: accountName, issuer: issuer)
    }
  }
#endif
