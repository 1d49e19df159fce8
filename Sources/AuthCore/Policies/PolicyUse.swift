/// The effect of a policy's answers.
public enum PolicyLevel: String, Sendable, Hashable, Codable, CaseIterable {
  /// The policy is asked beside the one in use, and its answers are recorded alone.
  case shadow
  /// The policy is in use, and its merges wait for an admin.
  case advise
  /// The policy is in use, and its merges are carried out.
  case decide
}

extension PolicyLevel: FieldValue {}

/// The way in which a policy is put to use: in place of the one in use, or on trial beside it.
public struct PolicyUse: Sendable, Hashable, Codable {
  /// The level; of a canary it is `decide`.
  public let level: PolicyLevel
  /// The share of pairs of accounts that a canary decides; nil for every pair.
  public let share: Double?

  /// Makes a use for every pair.
  public init(_ level: PolicyLevel = .decide) {
    self.level = level
    share = nil
  }

  /// Makes a canary, which decides a share of the pairs; the policy in use decides the others.
  ///
  /// Throws `invalid-argument` for a share that is not more than 0 and less than 1.
  public init(canary share: Double) throws(AuthError) {
    guard share > 0, share < 1, PairShare(share).millionths > 0 else {
      throw AuthError(
        .invalidArgument, "A canary decides a share of the pairs, not \(share).", field: "canary",
        remedy: "Give a number between 0 and 1, such as 0.1 for a tenth of the pairs.")
    }
    level = .decide
    self.share = share
  }

  /// True if the policy in use stays in use.
  public var isTrial: Bool { level == .shadow || share != nil }
}

/// A policy on trial beside the one in use.
public struct PolicyTrial: Sendable, Hashable, Codable {
  /// The name and the text of the file.
  public internal(set) var source: PolicySource
  /// The version.
  public internal(set) var version: PolicyVersionID
  /// The pairs that a canary decides; nil for a shadow, which decides none.
  var pairs: PairShare?

  /// The share of the pairs that a canary decides; nil for a shadow.
  public var share: Double? { pairs?.share }
}

extension PolicyTrial: FieldRecord {
  package static var blank: PolicyTrial {
    PolicyTrial(source: .blank, version: .blank, pairs: nil)
  }
  package static let fields: FieldList<PolicyTrial> = [
    Field("pairs", \.pairs), Field("source", \.source), Field("version", \.version),
  ]

  /// The trial in words.
  var summary: String {
    let way = share.map { "canary of \($0)" } ?? PolicyLevel.shadow.rawValue
    return "\(source.name) (version \(version.label), \(way))"
  }
}

/// The place of the policy in use in the scope's history.
public struct PolicyVersions: Sendable, Hashable, Codable {
  /// The number of the newest version.
  public internal(set) var last = 0
  /// The version in use; nil if no policy is in use, or one from before versions were kept.
  public internal(set) var inUse: PolicyVersionID?
}

extension PolicyVersions: FieldRecord {
  package static var blank: PolicyVersions { PolicyVersions() }
  package static let fields: FieldList<PolicyVersions> = [
    Field("inUse", \.inUse), Field("last", \.last),
  ]
}
