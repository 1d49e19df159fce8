import AuthCore
import LuaRuntime

/// A policy that is tried on many conflicts.
struct PolicyTrial {
  let policy: LuaMergePolicy

  /// Its answer to one conflict.
  enum Answer {
    /// It is not asked about such accounts.
    case notAsked
    /// It leaves both accounts as they are, for this reason.
    case refuses(String)
    case merges(into: PairSide, MergePlan)
    case fails(Failure)
  }

  /// The reason why there is no answer.
  struct Failure {
    let message: String
    /// The place in the file, or the code of a refused plan: what makes two failures the same.
    let kind: String
    /// True if a limit stopped the file.
    let isExhausted: Bool
  }

  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  ///
  /// A limit of time would make the result depend on the machine.
  init(_ source: PolicySource) throws(AuthError) {
    policy = try LuaMergePolicy(source, hasTimeLimit: false)
  }

  /// Tells whether a server asks the policy about a conflict.
  ///
  /// A second factor of the existing account is shown only if a person merges accounts of their own.
  func isAsked(_ conflict: MergeConflict) -> Bool {
    guard policy.triggers.contains(conflict.code), !conflict.current.disabled,
      !conflict.existing.disabled, conflict.proof.both || policy.answersUnproven
    else { return false }
    return conflict.existing.secondFactors.isEmpty
      || (conflict.code == .credentialAlreadyInUse && conflict.proof.both)
  }

  func answer(_ conflict: MergeConflict) -> Answer {
    guard isAsked(conflict) else { return .notAsked }
    do {
      switch try policy.decide(conflict) {
      case .merge(let into, let from, let rules):
        return plan(into, from, rules, of: conflict)
      case .refuse(let refusal): return .refuses(refusal.reason)
      case .require(let requirement): return .refuses("requires \(requirement.name)")
      case .review(let reason): return .refuses("review: \(reason)")
      }
    } catch {
      let failure = error as? AuthError
      let message = failure?.message ?? "\(error)"
      let place = message.split(separator: ":").prefix(2).joined(separator: ":")
      return .fails(
        Failure(
          message: message, kind: place,
          isExhausted: (failure?.cause as? LuaError)?.isAbort == true))
    }
  }

  /// The side that an answer names as the survivor, whether or not such accounts can be merged; nil for any other
  /// answer.
  func survivor(_ conflict: MergeConflict) -> PairSide? {
    guard isAsked(conflict), case .merge(let into, _, _)? = try? policy.decide(conflict) else {
      return nil
    }
    return conflict.side(of: into)
  }

  private func plan(
    _ into: AccountID, _ from: AccountID, _ rules: MergeRules, of conflict: MergeConflict
  ) -> Answer {
    guard let side = conflict.side(of: into), conflict.side(of: from) == side.other else {
      return .fails(
        Failure(
          message: "It named an account that is not part of the conflict.", kind: "accounts",
          isExhausted: false))
    }
    let (keep, absorb) = (conflict[side], conflict[side.other])
    do throws(AuthError) {
      return .merges(
        into: side, try MergePlan.rehearse(keep: keep, absorb: absorb, rules: rules))
    } catch {
      // Some accounts cannot be merged by any policy.
      if (try? MergePlan.rehearse(keep: keep, absorb: absorb, rules: MergeRules())) == nil {
        return .refuses(error.message)
      }
      return .fails(
        Failure(
          message: error.message, kind: "\(error.code) \(error.field ?? "")", isExhausted: false))
    }
  }
}

extension PolicyTrial.Answer {
  /// The side of the survivor; nil unless it merges.
  var side: PairSide? { if case .merges(let side, _) = self { side } else { nil } }

  var isFailure: Bool { if case .fails = self { true } else { false } }
}

extension MergeConflict {
  subscript(side: PairSide) -> Account { side == .current ? current : existing }

  func side(of id: AccountID) -> PairSide? {
    current.id == id ? .current : existing.id == id ? .existing : nil
  }

  /// The same conflict between other accounts or with other proof.
  private func changed(
    current: Account, existing: Account, proof: MergeProof? = nil, at time: Timestamp? = nil
  ) -> MergeConflict {
    var conflict = self
    conflict.current = current
    conflict.existing = existing
    conflict.proof = proof ?? self.proof
    conflict.decidedAt = time ?? decidedAt
    return conflict
  }

  /// The conflict of the same two people, with the accounts and their proof on the other sides.
  var swapped: MergeConflict {
    var swapped = changed(
      current: existing, existing: current,
      proof: MergeProof(current: proof.existing, existing: proof.current))
    swapped.history = ConflictHistory(current: history.existing, existing: history.current)
    return swapped
  }

  /// The conflict if both accounts had the data of one of them.
  func alike(_ side: PairSide) -> MergeConflict {
    let sharesAddress = current.email?.matches(existing.email) == true
    let copy = self[side].copy(
      as: self[side.other].id, renamesAddress: !sharesAddress)
    var alike =
      side == .current
      ? changed(current: current, existing: copy) : changed(current: copy, existing: existing)
    let merges = side == .current ? history.current : history.existing
    alike.history = ConflictHistory(current: merges, existing: merges)
    return alike
  }

  /// The conflict with both accounts proven.
  var proven: MergeConflict {
    changed(
      current: current, existing: existing, proof: MergeProof(current: true, existing: true))
  }

  /// The conflict a millisecond later.
  var later: MergeConflict {
    changed(
      current: current, existing: existing,
      at: Timestamp(milliseconds: decidedAt.milliseconds + 1))
  }

  /// The conflict between two other accounts.
  func between(_ current: Account, _ existing: Account) -> MergeConflict {
    changed(current: current, existing: existing)
  }
}

extension Account {
  /// Returns an account of another uid with the same data; subjects and addresses that have the uid get the other.
  func copy(as other: AccountID, renamesAddress: Bool = true) -> Account {
    func renamed(_ text: String) -> String {
      text.replacing(id.rawValue, with: other.rawValue)
    }
    var copy = Account(id: other, scope: scope, createdAt: createdAt)
    copy.email = email
    if renamesAddress, let email { copy.email = try? EmailAddress(renamed(email.text)) }
    copy.emailVerified = emailVerified
    copy.displayName = displayName.map(renamed)
    copy.photoURL = photoURL.map(renamed)
    copy.phoneNumber = phoneNumber
    copy.isAnonymous = isAnonymous
    copy.customClaims = customClaims
    copy.lastSignInAt = lastSignInAt
    copy.secondFactors = secondFactors
    copy.identities = identities.map { identity in
      let key = IdentityKey(
        identity.provider, issuer: identity.key.issuer, subject: renamed(identity.key.subject))
      return Identity(
        key: key, profile: identity.profile, emailVerified: identity.emailVerified,
        origin: identity.origin, linkedAt: identity.linkedAt,
        lastSignInAt: identity.lastSignInAt, secret: identity.secret)
    }
    return copy
  }
}
