#if canImport(ObjectiveC)
  import Foundation

  /// Codes to phones by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension PhoneAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(provider)
    public static func objectiveCProvider() -> PhoneAuthProvider {
      provider()
    }

    @objc(providerWithAuth:)
    public static func objectiveCProvider(auth: Auth) -> PhoneAuthProvider {
      provider(auth: auth)
    }

    @objc(verifyPhoneNumber:UIDelegate:completion:)
    public func objectiveCVerifyPhoneNumber(
      _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)?,
      completion: ((String?, (any Error)?) -> Void)?
    ) {
      verifyPhoneNumber(phoneNumber, uiDelegate: uiDelegate, completion: completion)
    }

    @objc(verifyPhoneNumber:UIDelegate:multiFactorSession:completion:)
    public func objectiveCVerifyPhoneNumber(
      _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)?,
      multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)?
    ) {
      verifyPhoneNumber(
        phoneNumber, uiDelegate: uiDelegate, multiFactorSession: multiFactorSession,
        completion: completion)
    }

    @objc(verifyPhoneNumberWithMultiFactorInfo:UIDelegate:multiFactorSession:completion:)
    public func objectiveCVerifyPhoneNumber(
      with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)?,
      multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)?
    ) {
      verifyPhoneNumber(
        with: multiFactorInfo, uiDelegate: uiDelegate, multiFactorSession: multiFactorSession,
        completion: completion)
    }

    @objc(credentialWithVerificationID:verificationCode:)
    public func objectiveCCredential(
      withVerificationID verificationID: String, verificationCode: String
    ) -> PhoneAuthCredential {
      credential(withVerificationID: verificationID, verificationCode: verificationCode)
    }
  }
#endif
