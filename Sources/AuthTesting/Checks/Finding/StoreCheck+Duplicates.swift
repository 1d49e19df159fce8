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
    StoreCheck("duplicates by similar e-mail fold case and accents of both parts") { store in
      try await fillWithSimilar(store)

      try await expectDuplicates(store, .similarEmail, similar)
    },
    StoreCheck("pages of similar addresses continue after a key") { store in
      try await fillWithSimilar(store)

      try await store.read { reader in
        var found: [DuplicateGroup] = []
        repeat {
          let page = try reader.duplicates(
            by: .similarEmail, after: found.last?.key, limit: 1, in: Sample.scope)
          guard !page.isEmpty else { break }
          found += page
        } while found.count <= similar.count
        try expect(found.map(\.key), is: similar.map(\.key), "The pages")
      }
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

  /// The groups of ``fillWithSimilar(_:)``.
  private static let similar: KeyValuePairs = [
    "ana@example.com": ["1", "2"], "jose@example.com": ["3", "4", "5"],
    "jose@muller.example": ["6", "7"], "omer@example.com": ["8", "9"],
    "σοφοσ@example.com": ["a", "b"],
  ]

  private static func fillWithSimilar(_ store: any AccountStore) async throws {
    let addresses = [
      "1": "ana@example.com", "2": "Ana@EXAMPLE.com", "3": "JOSÉ@example.com",
      "4": "jose\u{301}@example.com", "5": "jose@example.com", "6": "jose@müller.example",
      "7": "José@muller.example", "8": "ÖMER@example.com", "9": "ömer@example.com",
      "a": "σοφος@example.com", "b": "ΣΟΦΟΣ@example.com", "c": "lone@example.com",
      "d": "zoë@example.com",
    ]
    for (uid, email) in addresses.sorted(by: { $0.key > $1.key }) {
      try await store.insert(try Sample.account(uid, email: email))
    }
    try await store.insert(
      try Sample.account("e", in: Scope(project: "other"), email: "zoe@example.com"))
  }

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
