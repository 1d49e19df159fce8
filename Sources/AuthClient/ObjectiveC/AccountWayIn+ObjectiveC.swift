#if canImport(ObjectiveC)
  public import Foundation

  /// A way into an account by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension AccountWayIn {
    @objc(id) public var objectiveCID: String { id }
    @objc(kind) public var objectiveCKind: String { kind }
    @objc(providerID) public var objectiveCProviderID: String? { providerID }
    @objc(label) public var objectiveCLabel: String? { label }
    @objc(linkedDate) public var objectiveCLinkedDate: Date? { linkedDate }
    @objc(lastUsedDate) public var objectiveCLastUsedDate: Date? { lastUsedDate }
    @objc(isUsable) public var objectiveCIsUsable: Bool { isUsable }
    @objc(isEndable) public var objectiveCIsEndable: Bool { isEndable }
  }

  /// Ways into an account by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension User {
    @objc(waysInWithCompletion:)
    public func objectiveCWaysIn(completion: (([AccountWayIn]?, (any Error)?) -> Void)?) {
      waysIn(completion: completion)
    }

    @objc(endWaysIn:completion:)
    public func objectiveCEndWaysIn(
      _ ways: [AccountWayIn], completion: (([AccountWayIn]?, (any Error)?) -> Void)?
    ) {
      endWaysIn(ways, completion: completion)
    }
  }

  /// Ways into an account after a code, by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(waysInAfterPasswordResetWithCode:newPassword:completion:)
    public func objectiveCWaysIn(
      afterPasswordResetWithCode code: String, newPassword: String,
      completion: (([AccountWayIn]?, (any Error)?) -> Void)?
    ) {
      waysIn(afterPasswordResetWithCode: code, newPassword: newPassword, completion: completion)
    }

    @objc(waysInAfterApplyingActionCode:completion:)
    public func objectiveCWaysIn(
      afterApplyingActionCode code: String, completion: (([AccountWayIn]?, (any Error)?) -> Void)?
    ) {
      waysIn(afterApplyingActionCode: code, completion: completion)
    }
  }
#endif
