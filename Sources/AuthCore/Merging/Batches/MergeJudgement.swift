/// The reasons for which a merge of two accounts with a common key needs an admin's look.
///
/// A shared address or number is no proof that two accounts are one person's: anyone can sign up with another person's
/// address. A merge gives everything that signs in to one account the other one, too. So without a look only accounts
/// are merged whose ways to sign in are all known to be those of the address's owner.
struct MergeJudgement {
  let plan: MergePlan
  let key: SharedKey?
  let trust: TrustPolicy

  private var sides: [Account] { [plan.survivor, plan.absorbed] }

  /// The reason why even a policy that answers unproven conflicts does not decide; nil if there is none.
  var obstacle: String? {
    if let disabled = sides.first(where: \.disabled) {
      return "\(disabled.id) is disabled"
    }
    let added = plan.result.secondFactors.contains { factor in
      !plan.survivor.secondFactors.contains { $0.protects(like: factor) }
    }
    if added {
      // The factor may be a stranger's, who would lock the person out.
      return "the second factor of \(plan.absorbed.id) would guard \(plan.survivor.id)"
    }
    return nil
  }

  /// The reason why the accounts may be those of two people; nil if there is none.
  var doubt: String? {
    guard let key else { return SharedKey.absence(plan.survivor, plan.absorbed) }
    guard sides.contains(where: key.isVerified) else { return "nobody verified \(key)" }
    for side in sides where !key.isVerified(by: side) {
      let kept = side.identities.first { identity in
        plan.result.identity(identity.key) != nil && !key.isProven(by: identity, trust)
      }
      if let kept {
        return "\(side.id) never verified \(key), and \(kept.key) would open \(plan.result.id)"
      }
    }
    return nil
  }
}

extension SharedKey {
  /// The proofs of a pair, as a policy sees them.
  fileprivate func proof(current: Account, existing: Account) -> MergeProof {
    MergeProof(current: isVerified(by: current), existing: isVerified(by: existing))
  }

  /// The code of the conflict that two accounts with this key would have.
  public var conflict: AuthError.Code {
    switch self {
    case .email: .emailAlreadyInUse
    case .phone: .credentialAlreadyInUse
    }
  }
}

extension MergeConflict {
  /// Makes the conflict of two accounts that exist: the later one would link what the earlier one has.
  init(_ a: Account, _ b: Account, sharing key: SharedKey, at now: Timestamp) {
    let aIsLater = (a.createdAt, a.id) > (b.createdAt, b.id)
    let (current, existing) = aIsLater ? (a, b) : (b, a)
    self.init(
      code: key.conflict, current: current, existing: existing,
      provider: current.identities.first?.provider ?? .password,
      proof: key.proof(current: current, existing: existing), decidedAt: now)
    operation = .plan
  }
}
