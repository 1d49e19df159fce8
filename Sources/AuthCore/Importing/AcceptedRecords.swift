/// Records that the rules accepted, on one snapshot of the store.
struct AcceptedRecords {
  /// The records that are to be inserted together.
  private var records: [ImportedAccount] = []
  private var keys: Set<AccountKey> = []
  /// Canonical addresses, as the rules compare them.
  private var emails: Set<String> = []

  mutating func add(_ record: ImportedAccount) {
    records.append(record)
    keys.formUnion(record.keys)
    if let email = record.account.email { emails.insert(email.canonical) }
  }

  /// Returns the records since the last call.
  mutating func take() -> [ImportedAccount] {
    defer { records = [] }
    return records
  }

  /// Tells whether an accepted record, even an inserted one, shares a key with this one.
  func meet(_ record: ImportedAccount) -> Bool {
    !keys.isDisjoint(with: record.keys)
      || record.account.email.map { emails.contains($0.canonical) } ?? false
  }
}

extension ImportedAccount {
  /// The keys of accounts that may conflict with the record.
  var keys: [AccountKey] { account.recordKeys }
}
