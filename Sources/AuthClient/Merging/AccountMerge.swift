import AuthValues
public import Foundation
import IdentityToolkit

/// The rules that decide a merge.
public struct AccountMergePolicy: Sendable, Hashable {
  let name: String

  /// The project's policy.
  ///
  /// Without one, the survivor's fields win.
  public static let project = AccountMergePolicy(name: "project")

  /// The survivor's fields win.
  ///
  /// Refused if the project has a policy.
  public static let survivor = AccountMergePolicy(name: "survivor")
}

/// The plan of a merge.
///
/// Nothing is written before ``commit()``.
#if canImport(ObjectiveC)
  @objc(AGAccountMergePlan)
#endif
public final class AccountMergePlan: NSObject, Sendable {
  /// A field, its value in both accounts, and the result.
  public struct Field: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The survivor's current value.
    public let kept: String?
    /// The other account's value.
    public let other: String?
    /// The survivor's value after the merge.
    public let result: String?
    /// The rule that decided, such as `keep` or `newest`.
    public let rule: String
  }

  /// The version of a policy that decided.
  public struct PolicyVersion: Sendable, Hashable {
    /// The number in the project's history; nil if the text is not in it.
    public let number: Int?
    /// The SHA-256 of the policy's text, in hexadecimal digits.
    public let digest: String
    /// The version's part in the decision, such as `decides` or `canary`.
    public let role: String?
  }

  /// The uid that stays.
  ///
  /// A policy may choose the other account as the survivor.
  public let survivorID: String
  /// The uid that is absorbed.
  ///
  /// It becomes an alias of the survivor.
  public let absorbedID: String
  /// The fields of both accounts.
  public let fields: [Field]
  /// The identities that move to the survivor, as provider and subject.
  public let movedIdentities: [String]
  /// The identities that are removed.
  public let droppedIdentities: [String]
  /// The uids whose sessions end.
  public let cutSessions: [String]
  /// The remarks that the person should read before agreeing.
  public let notes: [String]
  /// The rules that decided, such as a policy's name.
  public let decidedBy: String
  /// The version of the project's policy that decided; nil if there is none.
  public let policyVersion: PolicyVersion?

  private let merge: Merge

  /// The two accounts and the requested policy.
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
    policyVersion = (try? fields.object("policyVersion")).flatMap(PolicyVersion.init)
    self.merge = Merge(
      user: merge.user, survivor: merge.survivor, policy: merge.policy,
      revisions: fields.value("revisions"))
  }

  /// The plan as a text, with a line for each change.
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

  /// The same as ``preview``.
  public override var description: String { preview }

  /// Merges the accounts as planned.
  ///
  /// Throws `operationNotAllowed` (17006) if an account has changed since. Plan again then.
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

extension AccountMergePlan.PolicyVersion {
  init?(_ fields: WireFields) {
    guard let digest = fields.string("digest") else { return nil }
    self.init(
      number: (try? fields.integer("number"))?.flatMap { Int(exactly: $0) }, digest: digest,
      role: fields.string("role"))
  }
}

// MARK: - Completions

extension AccountMergePlan {
  /// Runs ``commit()`` and calls back on the main queue.
  public func commit(
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.commit() }
  }
}
