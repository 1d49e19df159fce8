extension AccountGraph {
  /// Takes a vendor's request, and applies each of its events in a transaction of its own.
  ///
  /// An event counts once; a repeat gets the same answer and changes nothing. An event about a person who has no
  /// account is recorded and changes nothing. Throws `operation-not-allowed` if the provider takes no events,
  /// `invalid-provider-id`, or an error of the provider.
  public func receiveEvents(
    of provider: ProviderID, _ request: ProviderEventRequest, in scope: Scope,
    client: ClientDescription = ClientDescription()
  ) async throws -> ProviderEventResponse {
    let report = try await verifiedEvents(of: provider, request, in: scope)
    guard report.events.count <= ProviderEvent.maximumCount else {
      throw AuthError(
        .invalidArgument, "One request has at most \(ProviderEvent.maximumCount) events.",
        remedy: "Have the vendor send fewer at a time.", step: .profile)
    }
    for event in report.events { try event.check() }
    var caller = Caller(scope: scope, authority: .anyone, client: client)
    caller.vendor = provider
    for event in report.events { try await apply(event, of: provider, by: caller) }
    return report.response
  }

  /// Returns the time until which an event of a provider is remembered; nil if it never came.
  public func memory(
    ofEvent id: String, of provider: ProviderID, in scope: Scope
  ) async throws -> Timestamp? {
    guard TextBounds.subject.allow(id) else { return nil }
    let use = OneTimeUse(event: id, of: provider, until: clock())
    return try await store.read { try $0.oneTimeRecord(use.recordID, in: scope)?.expiresAt }
  }

  private func verifiedEvents(
    of id: ProviderID, _ request: ProviderEventRequest, in scope: Scope
  ) async throws -> ProviderEventReport {
    let provider = try providers.provider(id)
    let context = try await context(for: id, in: scope)
    guard let provider = provider as? any EventReceiving, provider.receivesEvents(context.settings)
    else {
      throw AuthError(
        .operationNotAllowed, "The provider \(id) takes no events here.", field: "providerID",
        remedy: "Set the provider up, with events = true if it has that setting.", step: .state)
    }
    return try await Self.blaming(provider) { try await provider.events(request, context) }
  }

  /// Applies one event: the rules, the account, the audit and the outbox in one transaction.
  private func apply(
    _ event: ProviderEvent, of provider: ProviderID, by caller: Caller
  ) async throws {
    let key = IdentityKey(provider, issuer: event.issuer, subject: event.subject)
    let use = OneTimeUse(
      event: event.id, of: provider, until: clock().adding(seconds: ProviderEvent.memory))
    _ = try await perform(
      caller, load: SnapshotQuery([.identity(key)], uses: [use], in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .providerEvent)
        verdict.describe(event, about: key)
        guard !snapshot.used.contains(use.name) else {
          verdict.isRepetition = true
          return verdict
        }
        verdict.changes.uses = [use]
        guard let account = snapshot.accounts(.identity(key)).first,
          let identity = account.identity(reachedBy: key)
        else {
          verdict.trace.note("owner of the identity", ["identity": key.description], "no account")
          verdict.details["effect"] = "unknown"
          return verdict
        }
        verdict.accountID = account.id
        verdict.trace.note(
          "owner of the identity", ["identity": key.description], "account \(account.id)")
        var rules = rules(by: caller, at: moment.now, on: snapshot)
        let (effect, after) = rules.decide(
          event, about: identity, of: account, waysIn(on: snapshot))
        verdict.trace.append(rules.trace)
        verdict.trace.note("effect", ["event": event.kind.rawValue], effect.rawValue)
        verdict.details["effect"] = .string(effect.rawValue)
        verdict.account = after
        verdict.changes.update(account, to: after)
        return verdict
      })
  }
}

extension OneTimeUse {
  /// Makes the use of a provider's event.
  fileprivate init(event id: String, of provider: ProviderID, until end: Timestamp) {
    self.init("provider-event:\(provider):\(id)", expiresAt: end)
  }
}

extension Verdict {
  fileprivate mutating func describe(_ event: ProviderEvent, about key: IdentityKey) {
    details["provider"] = .string(key.provider.rawValue)
    details["event"] = .string(event.kind.rawValue)
    details["identity"] = .string(key.description)
    details["id"] = .string(event.id)
    details["at"] = .optional(event.at?.text)
    details["reason"] = .optional(event.reason.map(TextBounds.name.cut))
    trace.note(
      "vendor's event",
      [
        "provider": key.provider.rawValue, "kind": event.kind.rawValue, "at": event.at?.text,
        "reason": event.reason.map(TextBounds.name.cut),
      ], "verified")
  }
}
