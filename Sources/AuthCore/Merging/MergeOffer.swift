/// A merge that a policy would make if both accounts were proven, or if it decided, for an admin to decide on.
///
/// The merge is never made for the client that caused the offer. An admin plans it with ``AccountGraph/plan(_:in:)``,
/// which asks the policy again, and commits the plan.
public struct MergeOffer: Hashable, Sendable, Identifiable {
  /// The ID of the audit event that records the offer.
  public let id: String
  /// The time of the refused link.
  public let at: Timestamp
  /// The policy's name.
  public let policy: String
  /// The account that would survive.
  public let survivor: AccountID
  /// The account that would be absorbed.
  public let absorbed: AccountID
  /// The account that wanted to link.
  public let current: AccountID
  /// The error code of the conflict.
  public let code: AuthError.Code
  /// The provider of the identity that was to be linked.
  public let provider: ProviderID
  /// The sides that the client has proven.
  public let proof: MergeProof
  /// The owners' marks of the survivor and the absorbed account at that time; nil in events of earlier versions.
  private let owners: [Int64?]?
  /// The policy's reason to ask an admin; nil if an account was not proven.
  public let reason: String?

  /// The sides that were not proven: `current`, `existing` or both.
  public var notShown: [String] { proof.missing }

  /// Reads the offer of an event; nil if it has none.
  init?(_ event: AuditEvent) {
    guard let offer = event.details["offer"], let policy = offer["policy"]?.stringValue,
      let survivor = offer["into"]?.stringValue, let absorbed = offer["from"]?.stringValue,
      let current = offer["current"]?.stringValue, let code = offer["code"]?.stringValue,
      let provider = offer["provider"]?.stringValue,
      case .array(let missing)? = offer["notShown"]
    else { return nil }
    id = event.id
    at = event.at
    self.policy = policy
    self.survivor = AccountID(survivor)
    self.absorbed = AccountID(absorbed)
    self.current = AccountID(current)
    self.code = AuthError.Code(code)
    self.provider = ProviderID(provider)
    reason = offer["reason"]?.stringValue
    proof = MergeProof(
      current: !missing.contains("current"), existing: !missing.contains("existing"))
    if case .array(let marks)? = offer["owners"] {
      owners = marks.map { mark -> Int64? in
        if case .integer(let mark) = mark { mark } else { nil }
      }
    } else {
      owners = nil
    }
  }

  /// Tells whether two accounts are those of the offer, with the same owners.
  func isAbout(survivor: Account, absorbed: Account) -> Bool {
    survivor.id == self.survivor && absorbed.id == self.absorbed
      && (owners == nil || owners == [survivor, absorbed].map { $0.ownership?.mark })
  }

  /// Returns the offer in the form that the event of a refused link records.
  static func detail(_ plan: MergePlan, _ conflict: MergeConflict) -> JSONValue {
    detail(
      keeping: plan.survivor, absorbing: plan.absorbed, decidedBy: plan.decidedBy, conflict,
      reason: nil)
  }

  static func detail(
    keeping survivor: Account, absorbing absorbed: Account, decidedBy: String,
    _ conflict: MergeConflict, reason: String?
  ) -> JSONValue {
    [
      "policy": .string(decidedBy), "into": .string(survivor.id.rawValue),
      "from": .string(absorbed.id.rawValue), "reason": .optional(reason),
      "current": .string(conflict.current.id.rawValue), "code": .string(conflict.code.rawValue),
      "provider": .string(conflict.provider.rawValue),
      "owners": .array(
        [survivor, absorbed].map { $0.ownership.map { .integer($0.mark) } ?? .null }),
      "notShown": .array(conflict.proof.missing.map(JSONValue.string)),
    ]
  }
}

/// A page of offers.
public struct MergeOfferPage: Hashable, Sendable {
  /// The offers, newest first.
  public fileprivate(set) var offers: [MergeOffer] = []
  /// The sequence before which the next page begins; nil on the last page.
  public fileprivate(set) var next: Int64?
  /// True if older events exist that were not searched.
  public fileprivate(set) var isCut = false
}

extension AccountGraph {
  /// The number of newest events that are searched for offers.
  public static let eventsWithOffers = 10_000

  /// Returns a page of offers, newest first, from events before the sequence `before`.
  ///
  /// Each pair of accounts that are not merged yet has one offer.
  public func mergeOffers(
    before: Int64? = nil, limit: Int, in scope: Scope
  ) async throws -> MergeOfferPage {
    try await store.read { reader in
      var page = MergeOfferPage()
      var pairs: Set<Set<AccountID>> = []
      var (last, seen): (Int64?, Int) = (nil, 0)
      while true {
        let events = try reader.events(about: nil, before: last, limit: 500, in: scope)
        for event in events {
          guard let offer = MergeOffer(event) else { continue }
          let pair: Set = [offer.survivor, offer.absorbed]
          guard pairs.insert(pair).inserted, before.map({ event.sequence < $0 }) ?? true,
            let survivor = try reader.account(offer.survivor, in: scope),
            let absorbed = try reader.account(offer.absorbed, in: scope),
            offer.isAbout(survivor: survivor, absorbed: absorbed)
          else { continue }
          guard page.offers.count < limit else { return page }
          page.offers.append(offer)
          page.next = event.sequence
        }
        guard events.count == 500 else { break }
        seen += events.count
        if seen >= Self.eventsWithOffers {
          page.isCut = true
          break
        }
        last = events.last?.sequence
      }
      page.next = nil
      return page
    }
  }

  /// Asks the policy about an offer again, for an admin who vouches for the missing proof.
  ///
  /// Throws `event-not-found`, `user-not-found` if one of the accounts is gone, `merge-refused` with the policy's
  /// reason, or `invalid-policy` if no policy decides over the accounts any more or it fails.
  public func plan(_ offerID: String, in scope: Scope) async throws -> MergePlan {
    guard let offer = MergeOffer(try await event(offerID, in: scope)) else {
      throw AuthError(
        .eventNotFound, "The event \(offerID) offers no merge.", field: "id",
        remedy: "Choose one of merge.offers().")
    }
    let existing = offer.current == offer.survivor ? offer.absorbed : offer.survivor
    let snapshot = try await store.read {
      try $0.snapshot(.merging(offer.current, existing, in: scope))
    }
    guard let currentAccount = snapshot.accounts[offer.current],
      let existingAccount = snapshot.accounts[existing],
      let survivor = snapshot.accounts[offer.survivor],
      let absorbed = snapshot.accounts[offer.absorbed],
      offer.isAbout(survivor: survivor, absorbed: absorbed)
    else { throw AuthError.userNotFound }
    guard let policies = policiesInForce(snapshot.settings),
      policies.decider(over: offer.current, existing) != nil
    else {
      throw AuthError(
        .invalidPolicy, "The policy that offered the merge is not in use any more.",
        remedy: "Plan it with merge.plan(keep, absorb).", step: .policy)
    }
    let context = OperationContext(
      snapshot: snapshot, moment: Moment(now: clock(), eventID: ""),
      caller: Caller(scope: scope, authority: .anyone))
    var conflict = MergeConflict(
      code: offer.code, current: currentAccount, existing: existingAccount,
      provider: offer.provider, proof: offer.proof, decidedAt: context.now)
    conflict.operation = .plan
    conflict.isApproved = true
    var (judged, trace): (JudgedConflict?, Trace) = (nil, Trace())
    let question = PolicyQuestion(
      conflict: conflict, context: context, ways: waysIn(on: snapshot), isVouched: true)
    switch try policies.ask(question, judged: &judged, trace: &trace) {
    case .merge(let plan, _), .offer(let plan, _): return plan
    case .unanswered(let policy), .unproven(let policy):
      throw AuthError.mergeRefused(
        "The merge policy \(policy.name) does not answer \(conflict.code).",
        "Plan it with merge.plan(keep, absorb).")
    case .nobody, .later:
      throw AuthError(.internalError, "The policy had no time.", step: .policy)
    }
  }
}
