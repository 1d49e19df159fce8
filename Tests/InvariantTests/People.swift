import AuthCore

/// The accounts of the model, indexed by identity; every change can be undone.
struct People {
  private(set) var all: [AccountID: ReferenceModel.Person] = [:]
  private var owners: [IdentityKey: AccountID] = [:]
  private var holders: [String: Set<AccountID>] = [:]
  private var changes: [(AccountID, ReferenceModel.Person?)] = []

  subscript(_ id: AccountID) -> ReferenceModel.Person? {
    get { all[id] }
    set {
      changes.append((id, all[id]))
      set(id, newValue)
    }
  }

  func owner(of key: IdentityKey) -> AccountID? { owners[key] }

  func holders(of email: String) -> [AccountID] { holders[email, default: []].sorted() }

  /// The number of changes so far.
  var mark: Int { changes.count }

  /// Returns the accounts that changed since a mark.
  func changed(since mark: Int) -> Set<AccountID> { Set(changes[mark...].map(\.0)) }

  mutating func rewind(to mark: Int) {
    while changes.count > mark {
      let (id, person) = changes.removeLast()
      set(id, person)
    }
  }

  private mutating func set(_ id: AccountID, _ person: ReferenceModel.Person?) {
    if let old = all[id] {
      for key in old.identities.keys where owners[key] == id { owners[key] = nil }
      if let email = old.email { holders[email]?.remove(id) }
    }
    all[id] = person
    guard let person else { return }
    for key in person.identities.keys { owners[key] = id }
    if let email = person.email { holders[email, default: []].insert(id) }
  }
}

/// A dictionary with changes that can be undone.
struct Journaled<Key: Hashable, Value> {
  private(set) var all: [Key: Value] = [:]
  private var changes: [(Key, Value?)] = []

  subscript(_ key: Key) -> Value? {
    get { all[key] }
    set {
      changes.append((key, all[key]))
      all[key] = newValue
    }
  }

  var mark: Int { changes.count }

  mutating func rewind(to mark: Int) {
    while changes.count > mark {
      let (key, value) = changes.removeLast()
      all[key] = value
    }
  }
}
