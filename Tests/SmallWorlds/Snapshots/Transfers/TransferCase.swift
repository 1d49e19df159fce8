import AuthCore

/// A split or a move of small accounts, in the types of the rules.
struct TransferCase: Sendable {
  let kind: TransferPlan.Kind
  let source: Account
  /// The account that gets the identity; nil for a split.
  let target: Account?
  let settings: ProjectSettings

  /// The identities that are named.
  var named: [IdentityKey] {
    switch kind {
    case .split(let rules): rules.identities
    case .move(let key): [key]
    }
  }

  var accounts: [Account] { [source] + [target].compactMap(\.self) }

  /// The snapshot that a store loads.
  var snapshot: Snapshot {
    var snapshot = Snapshot(scope: SnapshotNames.scope, settings: settings)
    snapshot.found[.uid(SnapshotNames.newUID)] = []
    for account in accounts {
      snapshot.accounts[account.id] = account
      snapshot.found[.uid(account.id)] = [account.id]
    }
    for (_, key) in SnapshotNames.keys {
      snapshot.found[key] = accounts.filter { $0.has(key) }.map(\.id)
    }
    return snapshot
  }
}

extension Account {
  fileprivate func has(_ key: AccountKey) -> Bool {
    switch key {
    case .identity(let identity): owns(identity)
    case .email(let address): address.matches(email)
    case .uid, .phone: false
    }
  }
}

extension TransferCase: CustomStringConvertible {
  var description: String {
    let names = named.map(\.description).joined(separator: ", ")
    let shared = settings.oneAccountPerEmail ? "" : ", accounts share addresses"
    return "\(names) of \(source) to \(target.map { "\($0)" } ?? "a new account")\(shared)"
  }
}

extension TransferCase {
  /// Calls a closure with every split and move of accounts up to a total size, until it returns false.
  static func forEach(size: Int, _ body: (TransferCase) throws -> Bool) rethrows {
    let table = AccountTable.shared
    let accounts = SnapshotAccounts()
    for isShared in [false, true] {
      for place in 0..<table.end(size) {
        let row = table.rows[place]
        let source = accounts.account(place + 1, uid: 0)
        guard !source.identities.isEmpty else { continue }
        let settings = Self.settings(sharing: isShared)
        for kind in splits(of: source) {
          let split = TransferCase(kind: kind, source: source, target: nil, settings: settings)
          guard try body(split) else { return }
        }
        for other in 0..<table.end(size - row.weight) {
          let target = table.rows[other]
          let (first, second) =
            isShared
            ? (row.owningsIfShared, target.owningsIfShared) : (row.ownings, target.ownings)
          guard first & second == 0 else { continue }
          for identity in source.identities {
            // Accounts of which one has several identities of a provider need the setting.
            let isMany = row.hasSeveral || target.hasSeveral
            for allowsMany in isMany ? [true] : [false, true] {
              var settings = settings
              settings.identitiesPerProvider = allowsMany ? .many : .one
              let move = TransferCase(
                kind: .move(identity.key), source: source,
                target: accounts.account(other + 1, uid: 1), settings: settings)
              guard try body(move) else { return }
            }
          }
        }
      }
    }
  }

  private static func settings(sharing isShared: Bool) -> ProjectSettings {
    var settings = ProjectSettings()
    settings.oneAccountPerEmail = !isShared
    settings.identitiesPerProvider = .many
    return settings
  }

  /// Every choice of at least one identity.
  private static func splits(of account: Account) -> [TransferPlan.Kind] {
    let keys = account.identities.map(\.key)
    return (1..<(1 << keys.count)).map { choice in
      let chosen = keys.indices.filter { choice & 1 << $0 != 0 }.map { keys[$0] }
      return .split(SplitRules(identities: chosen, uid: SnapshotNames.newUID))
    }
  }
}
