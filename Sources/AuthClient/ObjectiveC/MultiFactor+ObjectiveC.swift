#if canImport(ObjectiveC)
  public import Foundation

  /// Second factors by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension MultiFactor {
    @objc(enrolledFactors)
    public var objectiveCEnrolledFactors: [MultiFactorInfo] { enrolledFactors }

    @objc(getSessionWithCompletion:)
    public func objectiveCGetSessionWithCompletion(
      _ completion: ((MultiFactorSession?, (any Error)?) -> Void)?
    ) {
      getSessionWithCompletion(completion)
    }

    @objc(enrollWithAssertion:displayName:completion:)
    public func objectiveCEnroll(
      with assertion: MultiFactorAssertion, displayName: String?,
      completion: (((any Error)?) -> Void)?
    ) {
      enroll(with: assertion, displayName: displayName, completion: completion)
    }

    @objc(unenrollWithInfo:completion:)
    public func objectiveCUnenroll(
      with info: MultiFactorInfo, completion: (((any Error)?) -> Void)?
    ) {
      unenroll(with: info, completion: completion)
    }

    @objc(unenrollWithFactorUID:completion:)
    public func objectiveCUnenroll(
      withFactorUID uid: String, completion: (((any Error)?) -> Void)?
    ) {
      unenroll(withFactorUID: uid, completion: completion)
    }
  }

  /// A factor by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension MultiFactorInfo {
    @objc(UID) public var objectiveCUID: String { uid }
    @objc(displayName) public var objectiveCDisplayName: String? { displayName }
    @objc(enrollmentDate) public var objectiveCEnrollmentDate: Date { enrollmentDate }
    @objc(factorID) public var objectiveCFactorID: String { factorID }
  }

  /// A phone by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension PhoneMultiFactorInfo {
    @objc(PhoneMultiFactorID)
    public static var objectiveCPhoneMultiFactorID: String { PhoneMultiFactorID }

    @objc(TOTPMultiFactorID)
    public static var objectiveCTOTPMultiFactorID: String { TOTPMultiFactorID }
    @objc(phoneNumber) public var objectiveCPhoneNumber: String { phoneNumber }
  }

  /// A pending sign-in by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension MultiFactorResolver {
    @objc(session) public var objectiveCSession: MultiFactorSession { session }
    @objc(hints) public var objectiveCHints: [MultiFactorInfo] { hints }
    @objc(auth) public var objectiveCAuth: Auth { auth }

    @objc(resolveSignInWithAssertion:completion:)
    public func objectiveCResolveSignIn(
      with assertion: MultiFactorAssertion, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      resolveSignIn(with: assertion, completion: completion)
    }
  }
#endif
