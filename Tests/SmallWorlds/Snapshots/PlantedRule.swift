import AuthCore

/// A fault of the rules that the formulas have to find, planted around a decision and never in it.
package enum PlantedRule: String, CaseIterable, Sendable {
  /// No second factor is required.
  case ignoresFactors
  /// Every vendor's statement on an address counts, verified or not.
  case believesEveryone
  /// A sign-in with an account's identity opens a second account.
  case opensSecondOwner
  /// The last identity may be removed.
  case losesLastWayIn
  /// A disabled account can be signed in to.
  case entersDisabled
  /// The identities of an address's unproven holder stay.
  case keepsStrangers
  /// An old session may do what needs a recent one.
  case forgetsAge
  /// A session changes another account.
  case changesOthers
  /// A password that is chosen now counts as a proof in a merge.
  case mergesOnAWord
  /// Of several accounts with an address, the first by uid decides if the address is disabled.
  case prefersFirstUID
  /// A refusal names the conflicting account.
  case namesTheOwner

  /// The kinds of questions that show the fault.
  var kinds: [Question.Kind] {
    switch self {
    case .ignoresFactors, .opensSecondOwner, .entersDisabled: [.signInVendor]
    case .believesEveryone, .keepsStrangers, .prefersFirstUID: [.signInVendor]
    case .losesLastWayIn, .forgetsAge, .changesOthers: [.unlinkVendor]
    case .mergesOnAWord: [.linkPassword]
    case .namesTheOwner: [.linkVendor]
    }
  }

  /// The size of snapshots that shows the fault.
  package static let size = 3

  /// The law that the fault violates.
  package var law: String {
    switch self {
    case .ignoresFactors: "a guarded account changes without its factor"
    case .believesEveryone: "a session of somebody else's account"
    case .opensSecondOwner: "an identity of two"
    case .losesLastWayIn: "no way in"
    case .entersDisabled: "a disabled account changes"
    case .keepsStrangers: "an unproven account is entered"
    case .forgetsAge, .changesOthers: "a caller without the right"
    case .mergesOnAWord: "a merge without proof"
    case .prefersFirstUID: "a decision by names"
    case .namesTheOwner: "a refusal that tells"
    }
  }

  /// Returns the faulty decision, or nil if the fault does not affect it.
  func changed(_ plain: SnapshotDecision, on state: SnapshotCase) -> SnapshotDecision? {
    var changed = plain
    switch (self, plain.decision) {
    case (.ignoresFactors, .secondFactor(_, let next)): changed.decision = next
    case (.believesEveryone, _): return believing(state)
    case (.opensSecondOwner, .signIn): changed.decision = .createAccount
    case (.losesLastWayIn, .refuse(let error)) where error.code == .lastSignInMethod:
      guard case .unlink(let provider, let subject, let id, _) = state.request else { return nil }
      return SnapshotRules.decision(
        on: state, .unlink(provider, subject: subject, from: id, force: true))
    case (.entersDisabled, .refuse(let error)) where error.code == .userDisabled:
      guard let key = state.question.identityKey,
        let owner = state.members.first(where: { $0.account.owns(key) })
      else { return nil }
      changed.decision = .signIn(owner.account.id)
    case (.keepsStrangers, .takeOver(let id, _)): changed.decision = .autoLink(id)
    case (.forgetsAge, .refuse(let error)) where error.code == .requiresRecentLogin:
      var question = state.question
      question.asker = .recent
      return SnapshotRules.decision(on: state, by: question.caller(of: state.target?.account))
    case (.changesOthers, .refuse) where [.other, .stranger].contains(state.question.asker):
      var question = state.question
      question.asker = .recent
      return SnapshotRules.decision(on: state, by: question.caller(of: state.target?.account))
    case (.mergesOnAWord, .conflict):
      guard case .link(var identity, let id) = state.request else { return nil }
      identity.secret = .none
      changed.request = .link(identity, to: id)
    case (.prefersFirstUID, .refuse(let error)) where error.code == .ambiguous:
      guard case .signIn = state.request, state.members.first?.small.isDisabled == true else {
        return nil
      }
      changed.decision = .refuse(AuthError(.userDisabled, "It is disabled."))
    case (.namesTheOwner, .conflict(var error, let current, let existing)):
      error.remedy = "Ask \(existing)."
      changed.decision = .conflict(error, current: current, existing: existing)
    default: return nil
    }
    return changed
  }

  private func believing(_ state: SnapshotCase) -> SnapshotDecision? {
    guard case .signIn(var identity) = state.request else { return nil }
    var settings = state.snapshot.settings
    for provider in SnapshotNames.providers { settings.trust[provider] = .always }
    var snapshot = Snapshot(scope: state.snapshot.scope, settings: settings)
    (snapshot.found, snapshot.accounts) = (state.snapshot.found, state.snapshot.accounts)
    identity.emailVerified = identity.email != nil
    var believed = SnapshotRules.decision(on: state, .signIn(identity), snapshot)
    believed.request = state.request
    return believed
  }
}
