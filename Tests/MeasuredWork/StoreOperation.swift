/// An operation on a store whose cost is counted or timed.
public enum StoreOperation: String, CaseIterable, Sendable {
  /// An identity's account, with everything that is in it.
  case signIn = "sign-in"
  case link
  case unlink
  case merge
  /// A link that meets another account, which a policy in Lua answers with a merge.
  case policyMerge = "by-policy"
  /// A page of a thousand accounts.
  case list
  /// Such a page as JSON.
  case listJSON = "list-json"

  public var isWriting: Bool { self != .signIn && !isList }

  public var isList: Bool { self == .list || self == .listJSON }

  /// Says if it takes two accounts, of which one is left.
  public var isMerge: Bool { self == .merge || self == .policyMerge }
}
