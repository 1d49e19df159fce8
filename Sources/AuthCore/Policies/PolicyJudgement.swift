/// The version of a policy file.
public struct PolicyVersionID: Sendable, Hashable, Codable {
  /// The number in the scope's history, from 1; nil if the file is not in the history.
  public internal(set) var number: Int?
  /// The SHA-256 of the text, in hexadecimal digits.
  public internal(set) var digest: String

  /// Makes an ID.
  public init(number: Int?, digest: String) {
    (self.number, self.digest) = (number, digest)
  }
}

/// The answer of one version of a policy to a conflict.
public struct PolicyJudgement: Sendable, Hashable {
  /// The part of a version in a decision.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Its answer is carried out.
    case decides
    /// Its merges wait for an admin.
    case advises
    /// Its answer is carried out for a share of the pairs.
    case canary
    /// Its answer is recorded alone.
    case shadow
  }

  /// The answer, or the reason why there is none.
  public enum Ruling: Sendable, Hashable {
    /// The policy answered.
    case answer(MergeAnswer)
    /// The policy failed, with this message.
    case failure(String)
  }

  /// The policy's name.
  public internal(set) var policy: String
  /// The version; nil if it is unknown.
  public internal(set) var version: PolicyVersionID?
  /// The part that the version has in the decision.
  public internal(set) var role: Role
  /// The answer.
  public internal(set) var ruling: Ruling

  /// Makes a judgement.
  public init(
    policy: String, version: PolicyVersionID? = nil, role: Role = .decides, ruling: Ruling
  ) {
    self.policy = policy
    self.version = version
    self.role = role
    self.ruling = ruling
  }
}

/// A conflict with the answers of all versions that were asked.
public struct JudgedConflict: Sendable, Hashable {
  /// The conflict as the policies saw it.
  public internal(set) var conflict: MergeConflict
  /// The answers; the one that is carried out comes first.
  public var judgements: [PolicyJudgement]

  /// Makes a judged conflict.
  public init(_ conflict: MergeConflict, _ judgements: [PolicyJudgement]) {
    (self.conflict, self.judgements) = (conflict, judgements)
  }
}
