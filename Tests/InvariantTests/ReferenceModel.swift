import AuthCore
import RandomOperations

/// A second implementation of the linking rules in the plainest form, as a single thread would apply them.
struct ReferenceModel {
  struct Person: Equatable {
    var email: String?
    var verified = false
    var disabled = false
    /// True if the account has a second factor.
    var isGuarded = false
    /// True if the account has no address and a password that waits for one.
    var waits = false
    /// The number of the account's previous owners.
    var formerOwners = 0
    var identities: [IdentityKey: Proof] = [:]

    /// Removes every identity that does not prove the address, because the address's owner took over.
    mutating func giveUp() {
      identities = identities.filter { $0.value.proves(email) }
      isGuarded = false
      formerOwners += 1
    }
  }

  /// A provider's statement on an e-mail address, which counts if a credential linked the identity.
  struct Proof: Equatable {
    var email: String?
    var counts = false
    var byCredential = false

    func proves(_ address: String?) -> Bool { counts && byCredential && email == address }
  }

  private struct Merge {
    let survivor: AccountID
    let absorbed: AccountID
    let survivorBefore: Person
    let absorbedBefore: Person
    var isUndone = false
  }

  /// A split or a move, with the states before it.
  struct Transfer {
    let source: AccountID
    let target: AccountID
    let sourceBefore: Person
    let targetBefore: Person?
    var isUndone = false
  }

  private(set) var people = People()
  private(set) var aliases = Journaled<AccountID, AccountID>()
  private var merges = Journaled<String, Merge>()
  var transfers = Journaled<String, Transfer>()
  /// Every uid that ever existed; none is assigned twice.
  private var uids = Journaled<AccountID, Bool>()

  /// The result that the model gives for an operation.
  enum Outcome: Equatable {
    case done(AccountID)
    case refused(AuthError.Code)
    /// The result depends on when the operation first read; the model follows the event.
    case either
    /// The operation cannot have this result at this point.
    case impossible
  }

  /// A state of the model that it can be restored to.
  struct Mark {
    fileprivate let people: Int
    fileprivate let aliases: Int
    fileprivate let merges: Int
    fileprivate let transfers: Int
    fileprivate let uids: Int
  }

  var mark: Mark {
    Mark(
      people: people.mark, aliases: aliases.mark, merges: merges.mark, transfers: transfers.mark,
      uids: uids.mark)
  }

  mutating func rewind(to mark: Mark) {
    people.rewind(to: mark.people)
    aliases.rewind(to: mark.aliases)
    merges.rewind(to: mark.merges)
    transfers.rewind(to: mark.transfers)
    uids.rewind(to: mark.uids)
  }

  /// Records a uid.
  ///
  /// Returns false if it was assigned before.
  mutating func note(_ id: AccountID) -> Bool {
    guard uids[id] == nil else { return false }
    uids[id] = true
    return true
  }

  mutating func set(_ id: AccountID, _ person: Person?) { people[id] = person }

  func resolve(_ id: AccountID) -> AccountID? {
    var id = id
    while people[id] == nil {
      guard let next = aliases[id] else { return nil }
      id = next
    }
    return id
  }

  /// Applies the decision in an event, and returns the result that the rules give.
  mutating func replay(_ operation: Operation, _ event: AuditEvent) -> Outcome {
    let mark = people.mark
    defer { settleWaitingPasswords(since: mark) }
    return apply(operation, event)
  }

  private mutating func apply(_ operation: Operation, _ event: AuditEvent) -> Outcome {
    let wasDone = event.errorCode == nil
    switch operation {
    case .signIn(let claim): return signIn(claim, newID: event.accountID)
    case .link(let claim, let id):
      return change(id) { $0.link(claim.key, claim, to: $1) }
    case .assert(let key, let id): return change(id) { $0.link(key, nil, to: $1) }
    case .unlink(let provider, let id, let force):
      return change(id) { $0.unlink(provider, from: $1, force) }
    case .endWaysIn(_, let id, _) where people[id] == nil && resolve(id) != nil:
      return .refused(.invalidArgument)
    case .endWaysIn(let providers, let id, let force):
      return change(id) { $0.endWaysIn(providers, of: $1, force) }
    case .setEmail(let id, let email): return change(id) { $0.setEmail(email.canonical, $1) }
    case .verifyEmail(let id): return change(id) { $0.verifyEmail($1) }
    case .disable(let id, _) where people[id] == nil && resolve(id) != nil,
      .delete(let id) where people[id] == nil && resolve(id) != nil:
      return .refused(.invalidArgument)
    case .disable(let id, let disabled):
      return change(id) {
        $0.people[$1]?.disabled = disabled
        return .done($1)
      }
    case .delete(let id):
      return change(id) {
        $0.people[$1] = nil
        $0.endAliases(leadingTo: $1)
        return .done($1)
      }
    case .importAccount(let id, let claim):
      guard uids[id] == nil, people.owner(of: claim.key) == nil else { return .impossible }
      uids[id] = true
      people[id] = Person(
        email: claim.email?.canonical, identities: [claim.key: Proof()])
      return .done(id)
    case .merge:
      guard wasDone, let keep = event.accountID, let absorb = event.relatedIDs.first else {
        return .either
      }
      return merge(event.id, keep, absorb)
    case .undo(let id, _):
      return wasDone ? undo(id) : .either
    case .split, .move: return wasDone ? transfer(event) : .either
    case .undoTransfer(let id, _): return wasDone ? undoTransfer(id) : .either
    case .signUp(let email): return signUp(email, newID: event.accountID)
    case .enter(let email): return enter(email, event)
    case .setPassword(let id): return change(id) { $0.setPassword($1) }
    case .reset(let email):
      guard wasDone, let id = event.accountID else { return .either }
      return reset(email, id)
    case .setFactor(let id, let isOn): return change(id) { $0.setFactor($1, isOn) }
    }
  }

  private mutating func change(
    _ id: AccountID, _ body: (inout ReferenceModel, AccountID) -> Outcome
  ) -> Outcome {
    guard let resolved = resolve(id) else { return .refused(.userNotFound) }
    return body(&self, resolved)
  }

  /// Removes the aliases of an account that is deleted or belongs to another owner.
  mutating func endAliases(leadingTo id: AccountID) {
    for alias in aliases.all.filter({ $0.value == id }).keys {
      aliases[alias] = nil
      endAliases(leadingTo: alias)
    }
  }

  private mutating func signIn(_ claim: Operation.Claim, newID: AccountID?) -> Outcome {
    let proof = Proof(
      email: claim.email?.canonical, counts: claim.isProven, byCredential: true)
    if let owner = people.owner(of: claim.key) {
      if people[owner]?.disabled == true { return .refused(.userDisabled) }
      if people[owner]?.isGuarded == true { return .refused(.secondFactorRequired) }
      people[owner]?.identities[claim.key]?.email = proof.email
      people[owner]?.identities[claim.key]?.counts = proof.counts
      return .done(owner)
    }
    let candidates = claim.email.map { people.holders(of: $0.canonical) } ?? []
    let verified = candidates.filter { people[$0]?.verified == true }
    guard let match = verified.first ?? candidates.first, var person = people[match] else {
      guard let newID else { return .refused(.internalError) }
      guard uids[newID] == nil else { return .impossible }
      uids[newID] = true
      people[newID] = Person(
        email: claim.email?.canonical, verified: claim.isProven, identities: [claim.key: proof])
      return .done(newID)
    }
    guard claim.isProven else { return .refused(.accountExistsWithDifferentCredential) }
    guard candidates.count == 1 || verified.count == 1 else { return .refused(.ambiguous) }
    let isRecycled = person.identities.contains { key, proof in
      key.provider == claim.provider && (person.verified || proof.proves(person.email))
    }
    if isRecycled { return .refused(.accountExistsWithDifferentCredential) }
    if person.disabled { return .refused(.userDisabled) }
    if person.verified && person.isGuarded { return .refused(.secondFactorRequired) }
    if !person.verified {
      person.giveUp()
      endAliases(leadingTo: match)
    }
    person.verified = true
    person.identities[claim.key] = proof
    people[match] = person
    return .done(match)
  }

  private mutating func link(
    _ key: IdentityKey, _ claim: Operation.Claim?, to id: AccountID
  ) -> Outcome {
    guard var person = people[id] else { return .refused(.userNotFound) }
    if person.identities.keys.contains(where: { $0.provider == key.provider }) {
      return .refused(.providerAlreadyLinked)
    }
    if people.owner(of: key) != nil { return .refused(.credentialAlreadyInUse) }
    if let email = claim?.email?.canonical {
      let others = people.holders(of: email).filter { $0 != id }
      let hasVerified = others.contains { people[$0]?.verified == true }
      if !others.isEmpty && (person.email != email || hasVerified) {
        return .refused(.emailAlreadyInUse)
      }
    }
    person.identities[key] = Proof(
      email: claim?.email?.canonical, counts: claim?.isProven == true, byCredential: claim != nil)
    if person.email == nil, let email = claim?.email?.canonical,
      claim?.isProven == true || !person.isGuarded
    {
      person.email = email
      person.verified = claim?.isProven == true
    } else if claim?.isProven == true && claim?.email?.canonical == person.email {
      person.verified = true
    }
    people[id] = person
    return .done(id)
  }

  private mutating func unlink(
    _ provider: ProviderID, from id: AccountID, _ force: Bool
  ) -> Outcome {
    let linked = people[id]?.identities.keys.filter { $0.provider == provider } ?? []
    guard let key = linked.first else { return .refused(.noSuchProvider) }
    guard linked.count == 1 else { return .refused(.ambiguous) }
    guard people[id]?.identities.count ?? 0 > 1 || force else {
      return .refused(.lastSignInMethod)
    }
    people[id]?.identities[key] = nil
    return .done(id)
  }

  /// Unlinks what an account has of several providers; a provider that is named twice counts once.
  private mutating func endWaysIn(
    _ providers: [ProviderID], of id: AccountID, _ force: Bool
  ) -> Outcome {
    guard var person = people[id] else { return .refused(.userNotFound) }
    for provider in providers {
      let count = people[id]?.identities.keys.count { $0.provider == provider } ?? 0
      guard count > 0 else { return .refused(.invalidArgument) }
      guard count == 1 else { return .refused(.ambiguous) }
    }
    person.identities = person.identities.filter { !providers.contains($0.key.provider) }
    guard !person.identities.isEmpty || force else { return .refused(.lastSignInMethod) }
    people[id] = person
    return .done(id)
  }

  private mutating func setEmail(_ email: String, _ id: AccountID) -> Outcome {
    guard people[id]?.email != email else { return .done(id) }
    guard people.holders(of: email).isEmpty else { return .refused(.emailAlreadyInUse) }
    if people[id]?.isGuarded == true { return .refused(.unverifiedEmail) }
    if let old = people[id]?.email, let password = people[id]?.identities[Self.password(old)] {
      people[id]?.identities[Self.password(old)] = nil
      people[id]?.identities[Self.password(email)] = password
    }
    people[id]?.email = email
    people[id]?.verified = false
    return .done(id)
  }

  private mutating func verifyEmail(_ id: AccountID) -> Outcome {
    guard let email = people[id]?.email else { return .done(id) }
    if people.holders(of: email).contains(where: { $0 != id && people[$0]?.verified == true }) {
      return .refused(.emailAlreadyInUse)
    }
    people[id]?.verified = true
    return .done(id)
  }

  private mutating func merge(
    _ id: String, _ keep: AccountID, _ absorb: AccountID
  ) -> Outcome {
    guard let survivor = people[keep], let absorbed = people[absorb] else { return .impossible }
    merges[id] = Merge(
      survivor: keep, absorbed: absorb, survivorBefore: survivor, absorbedBefore: absorbed)
    var result = survivor
    result.isGuarded = survivor.isGuarded || absorbed.isGuarded
    result.email = mergedEmail(survivor, absorbed)
    result.verified = [survivor, absorbed].contains {
      $0.verified && $0.email == result.email && result.email != nil
    }
    result.disabled = survivor.disabled || absorbed.disabled
    result.waits = result.email == nil && (survivor.waits || absorbed.waits)
    for person in [survivor, absorbed] {
      let isProven = person.verified && person.email == result.email
      let kept = person.identities.filter { key, _ in
        key.provider != .password
          || (key == result.email.map(Self.password) && (isProven || !result.verified))
      }
      result.identities.merge(kept) { kept, _ in kept }
      for key in person.identities.keys where kept[key] == nil { result.identities[key] = nil }
    }
    people[keep] = result
    people[absorb] = nil
    aliases[absorb] = keep
    return .either
  }

  private func mergedEmail(_ survivor: Person, _ absorbed: Person) -> String? {
    if survivor.verified { return survivor.email }
    if absorbed.verified { return absorbed.email }
    return survivor.isGuarded || absorbed.isGuarded ? nil : survivor.email ?? absorbed.email
  }

  private mutating func undo(_ id: String) -> Outcome {
    guard let merge = merges[id], !merge.isUndone,
      people[merge.survivor]?.formerOwners == merge.survivorBefore.formerOwners
    else { return .impossible }
    for before in [merge.survivorBefore, merge.absorbedBefore] {
      guard before.verified, let email = before.email else { continue }
      guard freeAddress(email, of: before, in: merge) else { return .impossible }
    }
    let keys = [merge.survivorBefore, merge.absorbedBefore].flatMap(\.identities.keys)
    let owners = Set(keys.compactMap { people.owner(of: $0) })
    guard owners.isSubset(of: [merge.survivor, merge.absorbed]) else { return .impossible }
    people[merge.survivor] = merge.survivorBefore
    people[merge.absorbed] = merge.absorbedBefore
    aliases[merge.absorbed] = nil
    merges[id]?.isUndone = true
    return .either
  }

  /// Removes an address that comes back verified from accounts that never proved it.
  ///
  /// Returns false if one keeps it.
  private mutating func freeAddress(
    _ email: String, of before: Person, in merge: Merge
  ) -> Bool {
    let key = Self.password(email)
    for id in people.holders(of: email) where id != merge.survivor {
      guard var holder = people[id], !holder.verified else { return false }
      let keepsPassword =
        holder.identities[key] != nil && holder.identities.values.contains { $0.proves(email) }
      if keepsPassword && before.identities[key] != nil { return false }
      holder.email = nil
      holder.identities[key] = nil
      people[id] = holder
    }
    return true
  }
}
