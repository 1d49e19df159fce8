extension RuleEvaluation {
  mutating func unlink(
    _ provider: ProviderID, subject: String?, from id: AccountID, force: Bool
  ) -> Decision {
    let account: Account
    switch editable(id) {
    case .success(let found): account = found
    case .failure(let error): return .refuse(error)
    }
    let decision = unlink(provider, subject: subject, of: account)
    guard case .unlink(_, let keys) = decision else { return decision }
    let refusal = refuseLosingWaysIn(
      from: account, to: account.unlinking(keys), isForced: force)
    return refusal.map(Decision.refuse) ?? decision
  }

  /// Decides which identities of a provider an account loses, if the caller may change it.
  ///
  /// An optional removal does nothing if there are none. The rule about the last way to sign in applies to the whole
  /// change.
  mutating func unlink(
    _ provider: ProviderID, subject: String?, of account: Account, isOptional: Bool = false
  ) -> Decision {
    let linked = account.identities.filter { $0.owns(keyOf: provider) }
    let chosen = linked.filter { identity in
      guard let subject else { return true }
      return identity.keys.contains {
        $0.provider == provider && [$0.subject, $0.description].contains(subject)
      }
    }.map(\.key)
    if quirks.removesAddress(with: provider) {
      trace.note("linked", ["provider": provider.rawValue], "it goes with the e-mail address")
      let ofAddress = account.identities.filter { [.password, .emailLink].contains($0.provider) }
      return .unlink(account.id, ofAddress.map(\.key))
    }
    if chosen.isEmpty && quirks.passesOver(isOptional) {
      trace.note("linked", ["provider": provider.rawValue, "subject": subject], "no, nothing goes")
      return .unlink(account.id, [])
    }
    guard !chosen.isEmpty else {
      trace.note("linked", ["provider": provider.rawValue, "subject": subject], "no")
      return .refuse(.noSuchProvider(provider, linked: account.identities))
    }
    guard chosen.count == 1 else {
      trace.note("linked", ["provider": provider.rawValue], "\(chosen.count) identities")
      return .refuse(.severalIdentities(chosen))
    }
    return .unlink(account.id, chosen)
  }
}
