import AuthCore

extension PeopleWorld {
  /// The world's whole knowledge before a step.
  struct Known: Sendable {
    var auditor: Auditor
    var sessions: [Int: KeptSession]
    var codes: [Int: KeptCode]
    var credentials: [Int: KeptCredential]
    var merges: [Int: KeptMerge]
    var uids: Set<AccountID>
    var issuer: Issuer?
    var closed: Set<ProviderID>
    var hasOneAccountPerEmail: Bool
    var isHonestTrusted: Bool
    var mergesByPolicy: Bool
    var areDoorsClosed: Bool
    var accounts: [AccountID: Account]
  }
}
