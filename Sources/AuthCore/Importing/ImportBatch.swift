/// An account to import, with its place in a file.
public struct ImportedAccount: Sendable, Hashable {
  /// The account, as the file has it.
  public let account: Account
  /// The line of the file, for reports.
  public let line: Int
  /// True if the file has the time of the sign-up; otherwise it is the time of the import.
  public let isCreationTimeKnown: Bool

  /// Makes a record.
  public init(account: Account, line: Int, isCreationTimeKnown: Bool = true) {
    self.account = account
    self.line = line
    self.isCreationTimeKnown = isCreationTimeKnown
  }
}

/// Accounts that are imported together, with their keys.
///
/// Making a batch takes time, and can be done outside the transaction.
public struct ImportBatch: Sendable {
  /// The accounts in order.
  public let records: [ImportedAccount]
  let accounts: [Account]
  let ids: [AccountID]
  /// The addresses and numbers of the accounts as keys; a store allows several accounts to share one.
  let contacts: [AccountKey]
  private let isPlain: Bool

  /// Prepares accounts for an import.
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

  /// Tells whether each account is of a scope and within its bounds, and no two share an address or number.
  func isPlain(in scope: Scope) -> Bool {
    isPlain && accounts.allSatisfy { $0.scope == scope }
  }
}
