/// The decision about one snapshot: the change, the event, and the refusal if it is one.
struct Verdict: Sendable {
  var action: Action
  var accountID: AccountID?
  var relatedIDs: [AccountID] = []
  /// The account as it becomes.
  var account: Account?
  var changes = ChangeSet()
  var error: AuthError?
  /// The operation that waits for a second factor; kept although it was refused.
  var pending: PendingOperation.Kept?
  /// What has to be done first: then nothing else is decided.
  var wanted: Wanted?
  /// The failure of a script that had a say, if the operation went on without it.
  var failure: AppScriptFailure?
  /// A code with which the account's owner takes a second factor away again.
  var recovery: IssuedActionCode?
  /// Codes with which old addresses take a change back.
  var takeBacks: [IssuedActionCode] = []
  /// An address whose mailbox was shown: accounts that never verified it give way.
  var shownAddress: EmailAddress?
  /// True if it takes a change of an address back, which no further code does.
  var takesBack = false
  var endedSessions = false
  /// The outcome of a batch of a rekey.
  var rekeyed: RekeyOutcome?
  /// Claims of the session that comes of it, where the app's functions gave some.
  var sessionClaims: JSONValue?
  /// The exit through which the change gives a session; nil if it gives none.
  var allow: Allow?
  /// The session that the change gives, or why the change stands and gives none.
  var session: Result<SessionGrant, AuthError>?
  /// The wish to keep the credential for later.
  var keeping: CredentialKeeping?
  /// The credential that is kept, whether the operation was refused or not.
  var kept: KeptCredential.Issued?
  /// Identities of the provider whose place the credential's took.
  var replaced: [IdentityKey] = []
  var details: [String: JSONValue] = [:]
  var trace = Trace()
  /// When it was decided.
  var at = Timestamp(milliseconds: 0)

  /// Allows a session of an account as the change leaves it, through the one exit; nil if none goes on.
  typealias Allow = @Sendable (Account, Verdict) throws(AuthError) -> SessionGrant?

  /// The account as the store has it afterwards.
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
  /// Adds what the next operation of the same change came to.
  mutating func append(_ next: Verdict) {
    wanted = wanted ?? next.wanted
    accountID = next.accountID
    relatedIDs += next.relatedIDs
    account = next.account ?? account
    changes.append(next.changes)
    error = next.error
    failure = next.failure ?? failure
    details.merge(next.details) { _, new in new }
    trace.append(next.trace)
  }

  /// Replaces the account as it becomes, in the rows that are written too.
  mutating func become(_ new: Account, from snapshot: Snapshot) {
    account = new
    replaceRow(new, from: snapshot)
  }

  /// Replaces an account in the rows that are written, and adds its row if it is not among them.
  mutating func replaceRow(_ new: Account, from snapshot: Snapshot) {
    if let index = changes.inserted.firstIndex(where: { $0.id == new.id }) {
      changes.inserted[index] = new
    } else if let index = changes.updated.firstIndex(where: { $0.new.id == new.id }) {
      changes.updated[index] = ChangeSet.Update(old: changes.updated[index].old, new: new)
    } else if let old = snapshot.accounts[new.id] {
      changes.update(old, to: new)
    }
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
  /// A change stands whose session may not be: a function of the app may have disabled the account.
  mutating func beginSession(_ opening: any SessionOpening, at now: Timestamp) {
    guard error == nil, let allow, let account = written else { return }
    do throws(AuthError) {
      guard var grant = try allow(account, self) else { return }
      if action == .merge { grant.tell(mergedFrom: mergedFrom) }
      changes.session = grant.open(by: opening, in: account.scope, at: now)
      session = .success(grant)
    } catch {
      session = .failure(error)
    }
  }

  /// Keeps when tokens were given, in the commit that lets them be given.
  mutating func noteTokens(at now: Timestamp, from snapshot: Snapshot) {
    guard error == nil, var account else { return }
    account.noteSession(at: now)
    become(account, from: snapshot)
  }
}

extension Verdict {
  /// Decides nothing yet.
  static func wanting(_ wanted: Wanted) -> Verdict {
    var verdict = Verdict(action: .signIn)
    verdict.wanted = wanted
    return verdict
  }
}

/// What has to be done before a decision.
enum Wanted: Sendable {
  /// The scope's merge policy has a say, and may take longer than the budget allows.
  case policy
  /// A function of the app has a say, which is asked outside of every transaction.
  case app
  /// The credential was verified with settings that are not these any more.
  case verification
  /// The caller's account is not what the caller read.
  case reading
}
