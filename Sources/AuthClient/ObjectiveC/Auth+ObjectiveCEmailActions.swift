#if canImport(ObjectiveC)
  import Foundation

  /// Messages and their codes by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(fetchSignInMethodsForEmail:completion:)
    @available(*, deprecated, message: "Most projects do not reveal which addresses have accounts.")
    public func objectiveCFetchSignInMethods(
      forEmail email: String, completion: (([String]?, (any Error)?) -> Void)?
    ) {
      fetchSignInMethods(forEmail: email, completion: completion)
    }

    @objc(sendPasswordResetWithEmail:completion:)
    public func objectiveCSendPasswordReset(
      withEmail email: String, completion: (((any Error)?) -> Void)?
    ) {
      sendPasswordReset(withEmail: email, completion: completion)
    }

    @objc(sendPasswordResetWithEmail:actionCodeSettings:completion:)
    public func objectiveCSendPasswordReset(
      withEmail email: String, actionCodeSettings: ActionCodeSettings?,
      completion: (((any Error)?) -> Void)?
    ) {
      sendPasswordReset(
        withEmail: email, actionCodeSettings: actionCodeSettings, completion: completion)
    }

    @objc(confirmPasswordResetWithCode:newPassword:completion:)
    public func objectiveCConfirmPasswordReset(
      withCode code: String, newPassword: String, completion: (((any Error)?) -> Void)?
    ) {
      confirmPasswordReset(withCode: code, newPassword: newPassword, completion: completion)
    }

    @objc(verifyPasswordResetCode:completion:)
    public func objectiveCVerifyPasswordResetCode(
      _ code: String, completion: ((String?, (any Error)?) -> Void)?
    ) {
      verifyPasswordResetCode(code, completion: completion)
    }

    @objc(checkActionCode:completion:)
    public func objectiveCCheckActionCode(
      _ code: String, completion: ((ActionCodeInfo?, (any Error)?) -> Void)?
    ) {
      checkActionCode(code, completion: completion)
    }

    @objc(applyActionCode:completion:)
    public func objectiveCApplyActionCode(_ code: String, completion: (((any Error)?) -> Void)?) {
      applyActionCode(code, completion: completion)
    }

    @objc(sendSignInLinkToEmail:actionCodeSettings:completion:)
    public func objectiveCSendSignInLink(
      toEmail email: String, actionCodeSettings: ActionCodeSettings,
      completion: (((any Error)?) -> Void)?
    ) {
      sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings, completion: completion)
    }

    @objc(isSignInWithEmailLink:)
    public func objectiveCIsSignIn(withEmailLink link: String) -> Bool {
      isSignIn(withEmailLink: link)
    }
  }
#endif
