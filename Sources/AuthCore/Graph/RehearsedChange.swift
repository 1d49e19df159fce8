/// The change of one account that a dry run would have made.
public struct RehearsedChange: Hashable, Sendable {
  /// The account before the change; nil if the change creates it.
  public let before: Account?
  /// The account after the change; nil if the change deletes it.
  public let after: Account?
  /// True if the account has a way to sign in before the change and none afterwards.
  public let losesLastWayIn: Bool
  /// The account that absorbs it; nil unless the change is a merge.
  public let mergedInto: AccountID?

  /// The uid of the account.
  public var id: AccountID { (after ?? before)?.id ?? AccountID("") }
}

extension Verdict {
  /// Notes the change of each account, that of the verdict's own account first.
  mutating func rehearse(_ ways: WaysIn) {
    guard error == nil else { return }
    func change(_ before: Account?, _ after: Account?, into survivor: AccountID? = nil)
      -> RehearsedChange
    {
      let isLost =
        if let before, let after {
          ways.count(into: before) > 0 && ways.count(into: after) == 0
        } else { false }
      return RehearsedChange(
        before: before, after: after, losesLastWayIn: isLost, mergedInto: survivor)
    }
    let all =
      changes.inserted.map { change(nil, $0) } + changes.updated.map { change($0.old, $0.new) }
      + changes.deleted.map { change($0, nil, into: changes.aliases[$0.id]) }
    rehearsed = all.filter { $0.id == accountID } + all.filter { $0.id != accountID }
  }
}
