/// Every account of small snapshots, with the facts that an enumeration needs, in order of weight.
struct AccountTable: Sendable {
  static let shared = AccountTable()

  struct Row: Sendable {
    let account: SmallAccount
    let weight: Int
    let hasSeveral: Bool
    let isGuarded: Bool
    let keys: UInt16
    let ownings: UInt16
    let owningsIfShared: UInt16
  }

  let rows: [Row]
  /// The account indices after each renaming, by the renaming's bits, counted from 1; 0 stays 0.
  let renamed: [[UInt32]]
  /// For each weight, the number of rows up to it.
  private let ends: [Int]

  private init() {
    let accounts = SmallAccount.all.map { (weight: $0.weight, account: $0) }
      .sorted { ($0.weight, $0.account.bits) < ($1.weight, $1.account.bits) }
    rows = accounts.map { weight, account in
      Row(
        account: account, weight: weight, hasSeveral: account.hasSeveral,
        isGuarded: account.isGuarded, keys: account.keys,
        ownings: account.ownings(sharingAddresses: false),
        owningsIfShared: account.ownings(sharingAddresses: true))
    }
    var places = [UInt32](repeating: 0, count: 1 << 15)
    for (place, entry) in accounts.enumerated() {
      places[Int(entry.account.bits)] = UInt32(place + 1)
    }
    renamed = Renaming.all.map { renaming in
      [0] + accounts.map { places[Int(renaming($0.account).bits)] }
    }
    let most = accounts.last?.weight ?? 0
    ends = (0...most).map { weight in accounts.count { $0.weight <= weight } }
  }

  /// Returns the number of accounts up to a weight.
  func end(_ weight: Int) -> Int { ends[min(weight, ends.count - 1)] }
}
