import AuthCore

/// Hashes of what the accounts of a file are found by.
struct ReadKeys {
  private var hashes: Set<Int> = []

  /// Notes an account; whether one before it may have the same uid, identity or address.
  mutating func repeats(_ account: Account) -> Bool {
    var repeats = note("uid", account.id)
    for identity in account.identities where note("identity", identity.key) { repeats = true }
    if let email = account.email, note("email", email.canonical) { repeats = true }
    return repeats
  }

  private mutating func note(_ kind: String, _ key: some Hashable) -> Bool {
    var hasher = Hasher()
    hasher.combine(kind)
    hasher.combine(key)
    return !hashes.insert(hasher.finalize()).inserted
  }
}
