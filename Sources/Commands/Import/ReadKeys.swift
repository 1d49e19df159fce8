import AuthCore

/// Hashes of the keys by which the accounts of a file are found.
struct ReadKeys {
  private var hashes: Set<Int> = []

  /// Adds an account; returns true if an earlier one may have the same uid, identity or address.
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
