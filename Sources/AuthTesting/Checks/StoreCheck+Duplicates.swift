import AuthCore
import ProviderChecks

extension StoreCheck {
  static let duplicates = [
    StoreCheck("duplicates by e-mail are groups in order of address, with uids in order") { store in
      try await fillWithDuplicates(store)

      try await expectDuplicates(
        store, .email, ["a@example.com": ["1", "2"], "b@example.com": ["3", "4", "5"]])
    },
    StoreCheck("duplicates by verified e-mail need one account that verified it") { store in
      try await fillWithDuplicates(store)

      try await expectDuplicates(store, .verifiedEmail, ["b@example.com": ["3", "4", "5"]])
    },
    StoreCheck("duplicates by phone number are found") { store in
      try await fillWithDuplicates(store)

      try await expectDuplicates(store, .phone, ["+15555550123": ["1", "6"]])
    },
    StoreCheck("pages of duplicates continue after a key") { store in
      try await fillWithDuplicates(store)

      try await store.read { reader in
        let first = try reader.duplicates(by: .email, after: nil, limit: 1, in: Sample.scope)
        try expect(first.map(\.key), is: ["a@example.com"], "The first page")
        let second = try reader.duplicates(
          by: .email, after: first.last?.key, limit: 1, in: Sample.scope)
        try expect(second.map(\.key), is: ["b@example.com"], "The second page")
        let third = try reader.duplicates(
          by: .email, after: second.last?.key, limit: 1, in: Sample.scope)
        try expect(third, is: [], "The third page")
      }
    },
  ]

  private static func fillWithDuplicates(_ store: any AccountStore) async throws {
    var first = try Sample.account("1", email: "A@example.com")
    first.phoneNumber = try PhoneNumber("+15555550123")
    var last = try Sample.account("6", email: "c@example.com", verified: true)
    last.phoneNumber = try PhoneNumber("+15555550123")
    try await store.insert(
      last, try Sample.account("5", email: "b@EXAMPLE.com"),
      try Sample.account("4", email: "b@example.com", verified: true),
      try Sample.account("3", email: "b@example.com"),
      try Sample.account("2", email: "a@example.com"), first)
    try await store.insert(
      try Sample.account("7", in: Scope(project: "other"), email: "c@example.com"))
  }

  private static func expectDuplicates(
    _ store: any AccountStore, _ key: DuplicateKey, _ wanted: KeyValuePairs<String, [String]>
  ) async throws {
    let found = try await store.read {
      try $0.duplicates(by: key, after: nil, limit: 10, in: Sample.scope)
    }
    let groups = wanted.map { value, uids in
      DuplicateGroup(key: value, accounts: uids.map { AccountID($0) })
    }
    try expect(found, is: groups, "The list of duplicates")
  }
}
