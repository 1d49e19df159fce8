extension AccountGraph {
  /// Removes journal entries of deleted accounts after the retention that their scopes' settings allow.
  ///
  /// Returns the number of scopes with such entries; a part of ``sweep()``.
  @discardableResult
  public func sweepMerges() async throws -> Int {
    let now = clock()
    let scopes = try await store.read { try $0.scopes(having: .endedMerges) }
    for scope in scopes {
      try await store.sweep { sweeper in
        let end = try sweeper.settings(of: scope).endOfMerges(at: now)
        try sweeper.apply([.removeMerges(endedBefore: end)], in: scope)
      }
    }
    return scopes.count
  }
}
