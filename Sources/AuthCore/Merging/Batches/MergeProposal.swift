/// Two accounts with the rules of their merge, as a file or a batch keeps them.
public struct MergePair: Hashable, Sendable, Codable {
  /// The account that would survive.
  public var keep: AccountID
  /// The account that would be absorbed.
  public var absorb: AccountID
  /// The rules of the merge.
  public var rules: MergeRules
  /// The source of the rules: an admin, or a policy by name.
  public var decidedBy: String
  /// The version of the policy; nil if an admin decided.
  public var policyVersion: PolicyVersionID?
  /// The state of the survivor when the merge was planned; nil to accept any.
  public var keepState: AccountState?
  /// The state of the absorbed account when the merge was planned; nil to accept any.
  public var absorbState: AccountState?

  /// Makes a pair.
  public init(
    keep: AccountID, absorb: AccountID, rules: MergeRules = MergeRules(),
    decidedBy: String = "admin", keepState: AccountState? = nil, absorbState: AccountState? = nil
  ) {
    self.keep = keep
    self.absorb = absorb
    self.rules = rules
    self.decidedBy = decidedBy
    self.keepState = keepState
    self.absorbState = absorbState
  }
}

/// A merge in a list for an admin to review, with its reasons.
public struct MergeProposal: Hashable, Sendable {
  /// The decision on a pair of accounts.
  public enum Decision: String, Hashable, Sendable, CaseIterable {
    /// The pair is merged when the list is committed.
    case merge
    /// The pair is not merged before an admin has looked at it.
    case look
    /// The pair is left out.
    case leave
    /// An account changed after the pair was planned; it is not merged before it is planned again.
    case changed
    /// The batch of the list has merged the pair.
    case done
  }

  /// The accounts, with their states when they were read for this proposal.
  public let pair: MergePair
  /// The decision.
  public let decision: Decision
  /// The reason for the decision, for people.
  public let reason: String
  /// The address or number that the accounts share; nil if they share none.
  public let key: SharedKey?
  /// The surviving account, after the earlier merges of the list; nil if there is none.
  public let survivor: Account?
  /// The absorbed account, after the earlier merges of the list; nil if there is none.
  public let absorbed: Account?
  /// The plan; nil if there is none, or if the merge would be refused.
  public let plan: MergePlan?

  init(
    _ pair: MergePair, _ decision: Decision, _ reason: String, key: SharedKey? = nil,
    survivor: Account? = nil, absorbed: Account? = nil, plan: MergePlan? = nil
  ) {
    self.pair = pair
    self.decision = decision
    // The message of an error is a sentence, and a reason a part of one.
    self.reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    self.key = key
    self.survivor = survivor
    self.absorbed = absorbed
    self.plan = plan
  }

  /// Returns the same proposal after its merge.
  public func done(as merge: String) -> MergeProposal {
    MergeProposal(
      pair, .done, "merge \(merge)", key: key, survivor: survivor, absorbed: absorbed, plan: plan)
  }
}

/// An address or a number that two accounts share.
public enum SharedKey: Hashable, Sendable, CustomStringConvertible {
  case email(EmailAddress)
  case phone(PhoneNumber)

  /// Finds the key that two accounts share; nil if there is none, also if their addresses are only similar.
  init?(_ a: Account, _ b: Account, by key: DuplicateKey? = nil) {
    if key != .phone, let email = a.email, email.matches(b.email) {
      self = .email(email)
    } else if key != .similarEmail, let number = a.phoneNumber, number == b.phoneNumber {
      self = .phone(number)
    } else {
      return nil
    }
  }

  /// The reason why two accounts share no key.
  static func absence(_ a: Account, _ b: Account) -> String {
    guard let first = a.email, let second = b.email, first.similar == second.similar else {
      return "they share no address and no number"
    }
    return "\(first.text) and \(second.text) are similar, not the same"
  }

  /// The address or the number.
  public var description: String {
    switch self {
    case .email(let email): email.text
    case .phone(let number): number.text
    }
  }

  /// Tells whether an account has proven to own the key, apart from single identities.
  public func isVerified(by account: Account) -> Bool {
    switch self {
    case .email(let email): account.emailVerified && email.matches(account.email)
    case .phone(let number): account.identity(.phone(number)) != nil
    }
  }

  /// Tells whether the provider of an identity vouches for the key.
  func isProven(by identity: Identity, _ trust: TrustPolicy) -> Bool {
    switch self {
    case .email(let email): trust.proves(identity, email)
    case .phone(let number): identity.key == .phone(number)
    }
  }
}
