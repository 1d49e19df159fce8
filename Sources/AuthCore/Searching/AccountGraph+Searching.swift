extension AccountGraph {
  /// Returns the accounts that a text may mean, the most likely first.
  ///
  /// First those with exactly this text, then those with a text that begins with it, then those with a word that begins
  /// with it; among equals an account's own address before those of its identities, numbers, names, uids and subjects,
  /// and a verified address before another. An absorbed uid finds its survivor. It takes a few lookups in an index,
  /// however many accounts there are.
  public func accounts(
    found search: TextSearch, limit: Int, in scope: Scope
  ) async throws -> [Account] {
    try await store.read(from: .replica) { reader in
      var found: [(rank: Int, account: Account)] = []
      for id in try reader.accountIDs(found: search, limit: limit, in: scope) {
        guard let account = try reader.account(id, in: scope),
          // The rules by which texts are folded may be newer than the index.
          let rank = search.rank(of: account)
        else { continue }
        found.append((rank, account))
      }
      if let survivor = try reader.survivor(of: AccountID(search.text), in: scope),
        let account = try reader.resolved(survivor, in: scope),
        !found.contains(where: { $0.account.id == account.id })
      {
        found.insert((0, account), at: 0)
      }
      let ordered = found.enumerated().sorted { a, b in
        let (one, other) = (a.element, b.element)
        if one.rank != other.rank { return one.rank < other.rank }
        if one.account.emailVerified != other.account.emailVerified {
          return one.account.emailVerified
        }
        return a.offset < b.offset
      }
      return ordered.prefix(max(0, limit)).map(\.element.account)
    }
  }
}
