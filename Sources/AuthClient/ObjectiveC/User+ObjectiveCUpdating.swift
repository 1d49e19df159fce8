#if canImport(ObjectiveC)
  public import Foundation

  /// Changes of an account by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension User {
    @objc(updateEmail:completion:)
    public func objectiveCUpdateEmail(to email: String, completion: (((any Error)?) -> Void)?) {
      updateEmail(to: email, completion: completion)
    }

    @objc(updatePassword:completion:)
    public func objectiveCUpdatePassword(
      to password: String, completion: (((any Error)?) -> Void)?
    ) {
      updatePassword(to: password, completion: completion)
    }

    @objc(updatePhoneNumberCredential:completion:)
    public func objectiveCUpdatePhoneNumber(
      _ credential: PhoneAuthCredential, completion: (((any Error)?) -> Void)?
    ) {
      updatePhoneNumber(credential, completion: completion)
    }

    @objc(sendEmailVerificationWithCompletion:)
    public func objectiveCSendEmailVerification(completion: (((any Error)?) -> Void)?) {
      sendEmailVerification(completion: completion)
    }

    @objc(sendEmailVerificationWithActionCodeSettings:completion:)
    public func objectiveCSendEmailVerification(
      with settings: ActionCodeSettings?, completion: (((any Error)?) -> Void)?
    ) {
      sendEmailVerification(with: settings, completion: completion)
    }

    @objc(sendEmailVerificationBeforeUpdatingEmail:completion:)
    public func objectiveCSendEmailVerification(
      beforeUpdatingEmail newEmail: String, completion: (((any Error)?) -> Void)?
    ) {
      sendEmailVerification(beforeUpdatingEmail: newEmail, completion: completion)
    }

    @objc(sendEmailVerificationBeforeUpdatingEmail:actionCodeSettings:completion:)
    public func objectiveCSendEmailVerification(
      beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings?,
      completion: (((any Error)?) -> Void)?
    ) {
      sendEmailVerification(
        beforeUpdatingEmail: newEmail, actionCodeSettings: actionCodeSettings,
        completion: completion)
    }
  }

  /// A change of name and picture by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension UserProfileChangeRequest {
    @objc(displayName) public var objectiveCDisplayName: String? {
      get { displayName }
      set { displayName = newValue }
    }

    @objc(photoURL) public var objectiveCPhotoURL: URL? {
      get { photoURL }
      set { photoURL = newValue }
    }

    @objc(commitChangesWithCompletion:)
    public func objectiveCCommitChanges(completion: (((any Error)?) -> Void)?) {
      commitChanges(completion: completion)
    }
  }
#endif
