import AuthValues
public import Foundation
import IdentityToolkit

/// Whose rules say what becomes of two accounts.
public struct AccountMergePolicy: Sendable, Hashable {
  let name: String

  /// The project's policy; where it has none, the survivor's fields win.
  public static let project = AccountMergePolicy(name: "project")

  /// The survivor's fields win; refused where the project has a policy.
  public static let survivor = AccountMergePolicy(name: "survivor")
}

/// What a merge would do; nothing is written before ``commit()``.
#if canImport(ObjectiveC)
  @objcMembers @objc(AGAccountMergePlan)
#endif
public final class AccountMergePlan: NSObject, Sendable {
  /// One field, what both accounts have in it and what the survivor gets.
  public struct Field: Sendable, Hashable {
    public let name: String
    /// What the survivor has now.
    public let kept: String?
    /// What the other account has.
    public let other: String?
    /// What the survivor has then.
    public let result: String?
    /// The rule that decided, such as `keep` or `newest`.
    public let rule: String
  }

  /// The uid that stays; a policy may choose the other one than was asked for.
  public let survivorID: String
  /// The uid that goes; it leads to the survivor from then on.
  public let absorbedID: String
  public let fields: [Field]
  /// The ways in that the survivor gets, as provider and subject.
  public let movedIdentities: [String]
  /// The ways in that go away.
  public let droppedIdentities: [String]
  /// The uids whose sessions end.
  public let cutSessions: [String]
  /// What somebody should read before they agree.
  public let notes: [String]
  /// Whose rules decided, such as a policy's name.
  public let decidedBy: String

  private let merge: Merge

  /// The two accounts and what was asked for.
  struct Merge: Sendable {
    let user: User
    let survivor: User
    let policy: AccountMergePolicy
    var revisions: JSONValue?
  }

  init?(_ fields: WireFields, _ merge: Merge) {
    guard let survivor = fields.string("survivor"), let absorbed = fields.string("absorbed") else {
      return nil
    }
    survivorID = survivor
    absorbedID = absorbed
    self.fields = fields.items("fields").compactMap(Field.init)
    movedIdentities = (try? fields.texts("movedIdentities")) ?? []
    droppedIdentities = (try? fields.texts("droppedIdentities")) ?? []
    cutSessions = (try? fields.texts("cutSessions")) ?? []
    notes = (try? fields.texts("notes")) ?? []
    decidedBy = fields.string("decidedBy") ?? ""
    self.merge = Merge(
      user: merge.user, survivor: merge.survivor, policy: merge.policy,
      revisions: fields.value("revisions"))
  }

  /// The plan as a text to be read, a line for each thing that changes.
  public var preview: String {
    var lines = ["\(absorbedID) goes up in \(survivorID), decided by \(decidedBy)."]
    for field in fields where field.kept != field.other {
      lines.append(
        "\(field.name): \(field.kept ?? "none") and \(field.other ?? "none") become "
          + "\(field.result ?? "none") (\(field.rule))")
    }
    lines += movedIdentities.map { "The survivor gets \($0)." }
    lines += droppedIdentities.map { "\($0) is dropped." }
    if !cutSessions.isEmpty {
      lines.append("The sessions of \(cutSessions.joined(separator: " and ")) end.")
    }
    return (lines + notes).joined(separator: "\n")
  }

  public override var description: String { preview }

  /// Merges the accounts as planned.
  ///
  /// Throws `operationNotAllowed` (17006) where an account changed since; plan it again then.
  @discardableResult
  public func commit() async throws -> AuthDataResult {
    try await merge.survivor.auth.commit(merge)
  }
}

extension AccountMergePlan.Field {
  init?(_ fields: WireFields) {
    guard let name = fields.string("field") else { return nil }
    self.init(
      name: name, kept: fields.string("kept"), other: fields.string("other"),
      result: fields.string("result"), rule: fields.string("rule") ?? "")
  }
}

// MARK: - Without waiting

extension AccountMergePlan {
  /// Does ``commit()`` and calls back on the main queue.
  #if canImport(ObjectiveC)
    @objc(commitWithCompletion:)
  #endif
  public func commit(
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.commit() }
  }
}
