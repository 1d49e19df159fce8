import AuthCore

/// A step, and the knowledge before it.
struct Scene: Sendable {
  let step: Step
  let number: Int
  /// The person who acts; nil for the admin.
  let actor: Person?
  let before: [AccountID: Account]
  let sessions: [Int: KeptSession]
  let codes: [Int: KeptCode]
  let credentials: [Int: KeptCredential]
  let merges: [Int: KeptMerge]
  let issuer: Issuer?
  let closed: Set<ProviderID>
  let areDoorsClosed: Bool
  let hasOneAccountPerEmail: Bool

  /// The mailbox that the step proves the actor to have, or that a vendor verifies.
  var provenMailbox: Mailbox? {
    switch step {
    case .linkAtOnce(let mailbox), .resetAtOnce(let mailbox), .linkMailbox(_, let mailbox): mailbox
    case .vendor(_, _, let mailbox), .vouch(_, _, let mailbox), .linkVendor(_, _, let mailbox):
      mailbox
    case .signInVouched(let number), .linkVouched(let number, _): credentials[number]?.mailbox
    case .use(let number): codes[number]?.mailbox
    default: nil
    }
  }

  /// The mailbox of the verified address of the session's account.
  var verifiedMailbox: Mailbox? {
    guard let id = step.session.flatMap({ sessions[$0]?.grant.account }), let account = before[id],
      account.emailVerified
    else { return nil }
    return Mailbox(account.email)
  }
}

/// A violation of one of the two formulas.
package struct Violation: Sendable, CustomStringConvertible {
  /// The broken formula and the kind of step; the same for each history of one fault.
  package let name: String
  package let details: String

  package var description: String { "\(name): \(details)" }
}

/// Tracks the residents of each account, and reports access by other persons.
///
/// Safety: a person is a resident of an account that they opened, that an admin opened for them, or whose unverified
/// address is their mailbox and was proved by them. In the last case the earlier residents lose the account. No other
/// person gets a session of it or changes it.
struct Auditor: Sendable {
  private var residents: [AccountID: Set<Person>] = [:]
  /// The step since which an account has belonged to its present residents, proven or not.
  private var beginnings: [AccountID: Int] = [:]

  func residents(of id: AccountID) -> Set<Person> { residents[id] ?? [] }

  func since(_ id: AccountID) -> Int { beginnings[id] ?? 0 }

  /// Tracks a step, and returns its violations.
  mutating func audit(
    _ scene: Scene, _ outcome: Outcome, after: [AccountID: Account], promised: AccountID?
  ) -> [Violation] {
    var broken: [Violation] = []
    func note(_ formula: String, _ details: String) {
      let code = outcome.error.map { " with \($0.code)" } ?? ""
      broken.append(Violation(name: "\(formula) by \(scene.label)\(code)", details: details))
    }
    let changed = Set(scene.before.keys).union(after.keys).sorted().filter {
      scene.before[$0] != after[$0]
    }
    if let person = scene.actor {
      for id in changed {
        follow(id, by: person, in: scene, to: after[id], outcome).map {
          note("Safety, a change", $0)
        }
        if scene.isBarred(scene.before[id], after[id]) {
          note("Hooks, a new person", "\(id) while nobody new is let in")
        }
      }
      if let id = outcome.grant?.account, !residents(of: id).contains(person) {
        note("Safety, a session", "\(person) is in \(id), the account of \(residents(of: id))")
      }
    } else {
      followAdmin(scene, outcome, after).map { note("Safety, an undo", $0) }
    }
    if scene.actor != nil, outcome.error?.code == .tooMuchContention {
      note("One at a time", "the rules want what the store refuses: \(scene.step)")
    }
    for id in residents.keys where after[id] == nil { residents[id] = nil }
    if let password = strangersPassword(scene, after: after) {
      note("Ownership, a stranger's password", password)
    }
    if let promised {
      let reached = outcome.grant?.account ?? outcome.account
      let isOwn = scene.actor.map { person in reached.map(residents(of:)) == [person] } ?? false
      if !isOwn && !scene.asksForOwnFactor(outcome, promised) {
        let answer = outcome.error.map { "\($0)" } ?? "leads to \(reached?.rawValue ?? "nobody")"
        note("Return, shut out", "\(scene.actor.map { "\($0)" } ?? "") of \(promised): \(answer)")
      }
    }
    return broken
  }

  /// Tracks a person's change to one account, and returns its fault.
  private mutating func follow(
    _ id: AccountID, by person: Person, in scene: Scene, to new: Account?, _ outcome: Outcome
  ) -> String? {
    guard let old = scene.before[id] else {
      residents[id] = [person]
      beginnings[id] = scene.number
      return nil
    }
    if old.emailVerified != true && new?.emailVerified == true { beginnings[id] = scene.number }
    if outcome.merge?.survivor == id { beginnings[id] = scene.number }
    if residents(of: id).contains(person) { return nil }
    let shown = [scene.provenMailbox, scene.verifiedMailbox].compactMap { $0 }
      .filter { $0.owner == person }
    let claimed = shown.filter { old.claims($0) }
    guard new != nil, !claimed.isEmpty else {
      return "\(person) changed \(id), the account of \(residents(of: id)): \(old)"
    }
    let isEntered = outcome.grant?.account == id || outcome.account == id
    if isEntered {
      guard !old.emailVerified else {
        return "\(person) took \(id) over, which \(residents(of: id)) had proven: \(old)"
      }
      residents[id] = [person]
      beginnings[id] = scene.number
    }
    return nil
  }

  private mutating func followAdmin(
    _ scene: Scene, _ outcome: Outcome, _ after: [AccountID: Account]
  ) -> String? {
    guard outcome.error == nil else { return nil }
    switch scene.step {
    case .create(let id, let person, _, _), .importAccount(let id, let person, _):
      residents[id] = [person]
      beginnings[id] = scene.number
    case .adminMerge(let kept, _): beginnings[kept] = scene.number
    case .split, .move:
      guard let merge = outcome.merge else { return nil }
      if scene.before[merge.absorbed] == nil { residents[merge.absorbed] = merge.owners }
      for id in [merge.survivor, merge.absorbed] { beginnings[id] = scene.number }
    case .undo(let number, _):
      guard let merge = scene.merges[number] else { return nil }
      let others = [merge.survivor, merge.absorbed].first {
        scene.before[$0] != nil && residents(of: $0) != merge.owners
      }
      let owners = others.map { residents(of: $0) }
      for id in [merge.survivor, merge.absorbed] {
        residents[id] = merge.owners
        beginnings[id] = scene.number
      }
      if let others, let owners { return "\(others) of \(owners) goes back to \(merge.owners)" }
    default: break
    }
    return nil
  }
}

extension Scene {
  /// Tells whether a person is asked for a second factor, and it is their own.
  fileprivate func asksForOwnFactor(_ outcome: Outcome, _ id: AccountID) -> Bool {
    guard outcome.error?.code == .secondFactorRequired, let person = actor else { return false }
    return before[id]?.secondFactors.contains { $0.id == person.factor } ?? false
  }

  /// The step's kind, with details that distinguish faults.
  fileprivate var label: String {
    switch step {
    case .use(let number): "use \(codes[number]?.operation.rawValue ?? "")"
    case .vendor(let person, let vendor, _):
      "\(step.kind) \(vendor), a \(isKnown(person, at: vendor) ? "known" : "new") subject"
    case .vouch(_, let vendor, _), .linkVendor(_, let vendor, _): "\(step.kind) \(vendor)"
    default: step.kind
    }
  }

  /// Tells whether an account has the subject of a person at a vendor, now or under an earlier owner.
  private func isKnown(_ person: Person, at vendor: Vendor) -> Bool {
    let key = IdentityKey(vendor.id, subject: vendor.subject(of: person, at: issuer))
    return before.values.contains { $0.identity(key) != nil }
  }

  /// Tells whether an account became a real person's while the app accepts no new persons.
  ///
  /// The app is not asked about custom tokens, which it makes itself.
  fileprivate func isBarred(_ old: Account?, _ new: Account?) -> Bool {
    guard areDoorsClosed, let new, !new.isAnonymous else { return false }
    switch step {
    case .appUser, .merge: return false
    default: return old?.isAnonymous ?? true
    }
  }
}

extension Account {
  /// Tells whether the account has a mailbox's address, or a password for it, without a proof.
  fileprivate func claims(_ mailbox: Mailbox) -> Bool {
    if Mailbox(email) == mailbox { return !emailVerified }
    return identities.contains { $0.provider == .password && $0.key.subject == mailbox.text }
  }
}
