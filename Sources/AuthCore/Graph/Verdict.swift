/// The decision on a snapshot: the change, its event, and the error of a refusal.
struct Verdict: Sendable {
  var action: Action
  var accountID: AccountID?
  var relatedIDs: [AccountID] = []
  /// The account after the change.
  var account: Account?
  var changes = ChangeSet()
  var error: AuthError?
  /// The operation, or in the emulator the session alone, that waits for a second factor.
  var pending: PendingOperation.Kept?
  /// A step that has to come first; if it is set, nothing else is decided.
  var wanted: Wanted?
  /// The failure of a script, if the operation went on without it.
  var failure: AppScriptFailure?
  /// The code with which the account's owner can remove the new second factor.
  var recovery: ActionCode?
  /// The codes with which old addresses can revert the change.
  var takeBacks: [ActionCode] = []
  /// An address whose mailbox was proven; accounts that have it unverified lose it.
  var shownAddress: EmailAddress?
  /// True if the change reverts a change of an address, which no further code can revert.
  var takesBack = false
  var endedSessions = false
  /// True for a link that the account has, and for an event that was taken before.
  var isRepetition = false
  /// The outcome of a batch of a rekey.
  var rekeyed: RekeyOutcome?
  /// The claims that the app's functions add to the session.
  var sessionClaims: JSONValue?
  /// The function that allows a session; nil if the change gives none.
  var allow: Allow?
  /// The session that the change gives, or the reason why it gives none.
  var session: Result<SessionGrant, AuthError>?
  /// The request to store the credential for later.
  @Rare var keeping: CredentialKeeping?
  /// The stored credential, whether or not the operation was refused.
  @Rare var kept: KeptCredential.Issued?
  /// The provider's identities that the credential's own replaced.
  var replaced: [IdentityKey] = []
  /// The verified identity of the request, for the app's script.
  var shown: VerifiedIdentity?
  /// The proofs of the request beside those of the session, for the app's script.
  var proofs = RequestProofs()
  /// The conflict that a policy was asked about, with its answers.
  var judged: JudgedConflict?
  /// The version of a policy that the change puts to use.
  var policyVersion: PolicyVersionID?
  /// The data that the account loses.
  var losses: Losses?
  /// True if the receipt lists the ways in that stay, whatever the change.
  var listsWaysIn = false
  /// The ways in that stay, by account.
  var waysIn: [WaysInOfAccount] = []
  /// The effect of an undo, side by side.
  @Rare var undo: UndoPreview?
  /// The values before and after.
  var valueChanges: [ValueChange] = []
  var details: [String: JSONValue] = [:]
  var trace = Trace()
  /// The time of the decision.
  var at = Timestamp(milliseconds: 0)

  /// A function that allows a session of the changed account; nil if none goes on.
  typealias Allow = @Sendable (Account, Verdict) throws(AuthError) -> SessionGrant?

  /// The account as stored after the commit.
  var written: Account? {
    guard var account else { return nil }
    let isWritten =
      changes.inserted.contains { $0.id == account.id }
      || changes.updated.contains { $0.new.id == account.id }
    if isWritten { account.revision += 1 }
    return account
  }
}

extension Verdict {
  /// Appends the decision of the next operation of the same change.
  mutating func append(_ next: Verdict) {
    wanted = wanted ?? next.wanted
    accountID = next.accountID
    relatedIDs += next.relatedIDs
    account = next.account ?? account
    changes.append(next.changes)
    error = next.error
    failure = next.failure ?? failure
    judged = next.judged ?? judged
    isRepetition = isRepetition || next.isRepetition
    details.merge(next.details) { _, new in new }
    trace.append(next.trace)
  }

  /// Replaces the account after the change, also in the rows to write.
  mutating func become(_ new: Account, from snapshot: Snapshot) {
    account = new
    replaceRow(new, from: snapshot)
  }

  /// Replaces an account in the rows to write; adds its row if it is not among them.
  mutating func replaceRow(_ new: Account, from snapshot: Snapshot) {
    if let index = changes.inserted.firstIndex(where: { $0.id == new.id }) {
      changes.inserted[index] = new
    } else if let index = changes.updated.firstIndex(where: { $0.new.id == new.id }) {
      changes.updated[index] = ChangeSet.Update(old: changes.updated[index].old, new: new)
    } else if let old = snapshot.accounts[new.id] {
      changes.update(old, to: new)
    }
    if !action.restoresEarlierState { changes.transfer?.replaceAfter(new) }
    if let merge = changes.merge, merge.survivor == new.id {
      changes.merge = MergeRecord(
        id: merge.id, scope: merge.scope, at: merge.at, actor: merge.actor, reason: merge.reason,
        survivorBefore: merge.survivorBefore, absorbedBefore: merge.absorbedBefore,
        survivorAfter: new)
    }
  }

  /// The uids that a merge absorbs.
  var mergedFrom: [AccountID] {
    action == .merge ? changes.merge.map { [$0.absorbed] } ?? [] : []
  }

  /// Begins the session that the change gives.
  ///
  /// The change stands even if its session is refused, such as after a function of the app disabled the account.
  mutating func beginSession(_ opening: any SessionOpening, at now: Timestamp) {
    guard error == nil, let allow, let account = written else { return }
    do throws(AuthError) {
      guard var grant = try allow(account, self) else { return }
      if action == .merge { grant.tell(mergedFrom: mergedFrom) }
      changes.session = grant.open(by: opening, in: account.scope, at: now)
      session = .success(grant)
    } catch {
      var error = error
      if error.code == .secondFactorRequired { error.resolver = pending?.resolver }
      session = .failure(error)
    }
  }

  /// Records the time of an identity's new tokens, in the commit that allows them.
  mutating func noteTokens(of key: IdentityKey?, at now: Timestamp, from snapshot: Snapshot) {
    guard error == nil, var account else { return }
    account.noteSession(of: key, at: now)
    become(account, from: snapshot)
  }
}

extension Verdict {
  /// Makes an undecided verdict.
  static func wanting(_ wanted: Wanted) -> Verdict {
    var verdict = Verdict(action: .signIn)
    verdict.wanted = wanted
    return verdict
  }
}

/// A step that has to come before a decision.
enum Wanted: Sendable {
  /// The scope's merge policy has to decide, and may exceed the budget.
  case policy
  /// A function of the app has to be called, outside every transaction.
  case app
  /// The credential has to be verified again, because the provider's settings changed.
  case verification
  /// The caller's account changed since the caller read it.
  case reading
}
