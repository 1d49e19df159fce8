/// An account that an import brings, with where it stands in its file.
public struct ImportedAccount: Sendable, Hashable {
  public let account: Account
  public let line: Int
  /// True if the file says when the account was opened; otherwise that is the time of the import.
  public let isCreationTimeKnown: Bool

  public init(account: Account, line: Int, isCreationTimeKnown: Bool = true) {
    self.account = account
    self.line = line
    self.isCreationTimeKnown = isCreationTimeKnown
  }
}

/// Accounts that are imported together, with what the store is asked about them.
///
/// To make one takes time, which need not be that of the transaction.
public struct ImportBatch: Sendable {
  public let records: [ImportedAccount]
  let accounts: [Account]
  let ids: [AccountID]
  /// Their addresses and numbers as keys; the store lets several accounts have one.
  let contacts: [AccountKey]
  /// True if no two of them have the same address or number, and each may be kept.
  let isPlain: Bool

  public init(_ records: [ImportedAccount]) {
    self.records = records
    accounts = records.map(\.account)
    ids = accounts.map(\.id)
    let addresses = accounts.compactMap(\.email)
    let numbers = accounts.compactMap(\.phoneNumber)
    contacts = addresses.map(AccountKey.email) + numbers.map(AccountKey.phone)
    isPlain =
      Set(addresses.map(\.canonical)).count == addresses.count
      && Set(numbers).count == numbers.count
      && accounts.allSatisfy { $0.excess() == nil && $0.recordRefusal == nil }
  }
}
