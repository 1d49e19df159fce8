import AuthCore

extension MemoryTransaction {
  func oneTimeRecord(_ id: String, in scope: Scope) -> OneTimeRecord? {
    state[scope].oneTimeRecords[ExactText(id)]
  }

  func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) -> [OneTimeRecord] {
    let after = after.map(ExactText.init)
    let found = state[scope].oneTimeRecords
      .filter { id, record in record.kind == kind && after.map { $0 < id } ?? true }
    return found.sorted { $0.key < $1.key }.prefix(max(0, limit)).map(\.value)
  }

  func save(_ record: OneTimeRecord, in scope: Scope) {
    state[scope].oneTimeRecords[ExactText(record.id)] = record
  }

  func removeOneTimeRecords(of account: AccountID, in scope: Scope) {
    state[scope].oneTimeRecords = state[scope].oneTimeRecords.filter { $1.account != account }
  }
}
