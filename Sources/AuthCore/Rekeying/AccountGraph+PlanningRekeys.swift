extension AccountGraph {
  /// Returns the open rekey between two sources, or a new one; writes nothing.
  ///
  /// - Parameters:
  ///   - from: the source of the present subjects.
  ///   - to: the source of the new subjects.
  ///   - keepsSubjects: true if every subject stays the same; otherwise each batch brings a map.
  ///   - window: the time in which the old keys still sign in, in seconds after the first batch. An open rekey keeps
  ///     its own.
  ///   - caller: an admin.
  /// - Returns: the rekey; a new one is stored with its first batch.
  /// - Throws: `operation-not-allowed` unless the caller is an admin, or while the open rekey is ending;
  ///   `invalid-provider-id`; or `invalid-argument` if nothing would change, a source has no subjects of its own, or
  ///   the window is not between 0 seconds and ten years.
  public func planRekey(
    from: IdentitySource, to: IdentitySource, keepsSubjects: Bool,
    window: Int64 = Rekey.usualWindow, by caller: Caller
  ) async throws -> Rekey {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("rekey") }
    for (field, source) in [("from", from), ("to", to)] {
      try source.check(field, registered: providers.ids)
    }
    guard from != to || !keepsSubjects else {
      throw AuthError(
        .invalidArgument, "Nothing would change: both sources are \(from), without a map.",
        field: "map", remedy: "Give a map, or another issuer or provider to rekey to.")
    }
    guard (0...Rekey.longestWindow).contains(window) else {
      throw AuthError(
        .invalidArgument, "The window is \(window) seconds.", field: "window",
        remedy: "Give a number from 0 to \(Rekey.longestWindow).")
    }
    let known = try await settings(of: caller.scope).rekeys.values.first {
      $0.isOpen && $0.from == from && $0.to == to
    }
    guard let known else {
      return Rekey(
        id: newEventID(at: clock()), from: from, to: to, keepsSubjects: keepsSubjects,
        window: window, plannedBy: caller.actor)
    }
    guard known.state == .open else { throw AuthError.rekeyEnds(known) }
    guard known.keepsSubjects == keepsSubjects else {
      throw AuthError(
        .invalidArgument,
        "The open rekey \(known.id) was begun \(keepsSubjects ? "with" : "without") a map.",
        field: "map", remedy: "Continue it as it was begun, or roll it back first.")
    }
    return known
  }

  /// Returns the rekeys of a scope that are neither finished nor rolled back, oldest first.
  public func rekeys(in scope: Scope) async throws -> [Rekey] {
    try await settings(of: scope).rekeys.values.filter(\.isOpen).sorted { $0.id < $1.id }
  }

  /// Returns the progress of a rekey's batches; the next batch starts from ``RekeyProgress/resumed``.
  public func progress(of rekey: Rekey, in scope: Scope) async throws -> RekeyProgress {
    let stored = try await store.read { try $0.checkpoint(rekey.checkpoint, in: scope) }
    return try stored.map { try JSONText.decode(RekeyProgress.self, $0) } ?? RekeyProgress()
  }
}

extension IdentitySource {
  /// Throws if the provider is unknown, or if its subjects are the account's own address or number.
  fileprivate func check(
    _ field: String, registered: [ProviderID]
  ) throws(AuthError) {
    let own: [ProviderID] = [.password, .phone, .emailLink, .anonymous, .custom]
    guard !own.contains(provider) else {
      throw AuthError(
        .invalidArgument, "The subjects of \(provider) do not come from a vendor.", field: field,
        remedy: "Change the account itself with account:update { … }.")
    }
    do throws(AuthError) {
      try KnownProviders.check(provider, registered: registered)
    } catch {
      var error = error
      error.field = field
      throw error
    }
  }
}

extension AuthError {
  static func rekeyEnds(_ rekey: Rekey) -> AuthError {
    let remedy =
      switch rekey.state {
      case .open, .finished, .rolledBack: "Make a new plan."
      case .rollingBack: "Complete it with plan:rollback { }, then make a new plan."
      case .finishing: "Complete it with plan:finish { }, then make a new plan."
      }
    return AuthError(
      .operationNotAllowed, "The rekey \(rekey.id) is \(rekey.state.rawValue).", remedy: remedy,
      step: .decision)
  }
}
