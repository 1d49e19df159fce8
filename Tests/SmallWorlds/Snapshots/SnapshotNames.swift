import AuthCore

/// The real names for the small numbers, and the times of accounts and sessions.
enum SnapshotNames {
  static let scope = Scope(project: "snapshots")
  static let now = Timestamp(milliseconds: 1_800_000_000_000)
  static let opened = now.adding(seconds: -86_400)
  static let providers = [ProviderID("north.example"), ProviderID("south.example")]
  /// The character that only names of accounts and subjects contain.
  static let sign: Character = "#"
  static let uids = [AccountID("uid#1"), AccountID("uid#2"), AccountID("uid#3")]
  /// The uid of a newly opened account.
  static let newUID = AccountID("uid#new")
  /// A uid without an account.
  static let strangersUID = AccountID("uid#stranger")
  static let hash = "hash-of-old"
  static let newHash = "hash-of-new"
  static let ownership = Ownership(mark: 1)

  /// The addresses; 0 is none.
  static let addresses: [EmailAddress?] =
    [nil, try? EmailAddress("ada@ada.example"), try? EmailAddress("bob@bob.example")]

  static func subject(_ subject: Int, of provider: Int) -> IdentityKey {
    IdentityKey(providers[provider], subject: "subject#\(provider)\(subject)")
  }

  /// The keys of accounts by their bits; see ``SmallAccount/Keys``.
  static let keys: [(bit: UInt16, key: AccountKey)] = {
    var keys: [(bit: UInt16, key: AccountKey)] = []
    for provider in 0..<2 {
      for subject in 0..<2 {
        let bit = SmallAccount.Keys.subject(subject, of: provider)
        keys.append((bit, .identity(Self.subject(subject, of: provider))))
      }
    }
    for (place, email) in addresses.compactMap(\.self).enumerated() {
      keys.append((SmallAccount.Keys.password << UInt16(place), .identity(.password(email))))
      keys.append((SmallAccount.Keys.link << UInt16(place), .identity(.emailLink(email))))
      keys.append((SmallAccount.Keys.address << UInt16(place), .email(email)))
    }
    return keys
  }()

  static let bits = Dictionary(uniqueKeysWithValues: keys.map { ($0.key, $0.bit) })
}
