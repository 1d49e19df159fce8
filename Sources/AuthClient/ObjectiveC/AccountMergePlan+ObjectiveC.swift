#if canImport(ObjectiveC)
  import Foundation

  /// Merges by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(mergeUser:into:completion:)
    public func objectiveCMerge(
      _ user: User, into survivor: User, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
      merge(user, into: survivor, completion: completion)
    }
  }

  /// A merge's plan by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension AccountMergePlan {
    @objc(survivorID) public var objectiveCSurvivorID: String { survivorID }
    @objc(absorbedID) public var objectiveCAbsorbedID: String { absorbedID }
    @objc(movedIdentities) public var objectiveCMovedIdentities: [String] { movedIdentities }
    @objc(droppedIdentities) public var objectiveCDroppedIdentities: [String] { droppedIdentities }
    @objc(cutSessions) public var objectiveCCutSessions: [String] { cutSessions }
    @objc(notes) public var objectiveCNotes: [String] { notes }
    @objc(decidedBy) public var objectiveCDecidedBy: String { decidedBy }
    @objc(preview) public var objectiveCPreview: String { preview }

    @objc(commitWithCompletion:)
    public func objectiveCCommit(completion: ((AuthDataResult?, (any Error)?) -> Void)?) {
      commit(completion: completion)
    }
  }
#endif
