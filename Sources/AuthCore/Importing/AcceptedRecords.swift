/// Records that were accepted after the store was asked about all of their part.
struct AcceptedRecords {
  /// Those that are to be inserted together.
  private var records: [ImportedAccount] = []
  private var keys: Set<AccountKey> = []
  /// Canonical, as rules compare them.
  private var emails: Set<String> = []

  mutating func add(_ record: ImportedAccount) {
    records.append(record)
    keys.formUnion(record.keys)
    if let email = record.account.email { emails.insert(email.canonical) }
  }

  /// Gives those that were not taken before.
  mutating func take() -> [ImportedAccount] {
    defer { records = [] }
    return records
  }

  /// Tells if one of them, also one that was taken, shares a key with a record.
  func meet(_ record: ImportedAccount) -> Bool {
    !keys.isDisjoint(with: record.keys)
      || record.account.email.map { emails.contains($0.canonical) } ?? false
  }
}

extension ImportedAccount {
  /// The keys of accounts that may be in its way.
  var keys: [AccountKey] { account.recordKeys }
}
