/// The conditions that recorded decisions of merge policies meet; nil in place of a condition means any.
public struct DecisionFilter: Sendable, Hashable {
  /// The earliest time.
  public var since: Timestamp?
  /// The time before which the decision was made.
  public var until: Timestamp?
  /// The code of the conflict.
  public var code: AuthError.Code?
  /// The provider of the conflict.
  public var provider: ProviderID?
  /// The kind of the answer that was carried out, one of ``PolicyJudgement/Ruling/kinds``.
  public var answer: String?
  /// The number of a version that was asked.
  public var version: Int?

  /// Makes a filter that every decision meets.
  public init() {}

  /// Tells whether a decision meets all conditions but the earliest time.
  func contains(_ decision: PolicyDecision) -> Bool {
    (until.map { decision.at < $0 } ?? true)
      && (code.map { $0 == decision.conflict.code } ?? true)
      && (provider.map { $0 == decision.conflict.provider } ?? true)
      && (answer.map { $0 == decision.ruling?.kind } ?? true)
      && (version.map { number in
        decision.judgements.contains { $0.version?.number == number }
      } ?? true)
  }
}

/// Some decisions, newest first, and the ID after which the next page begins.
public struct DecisionPage: Sendable, Hashable {
  /// The decisions.
  public internal(set) var decisions: [PolicyDecision] = []
  /// The ID of the last decision that was looked at; nil if nothing is left.
  public internal(set) var next: String?
}

extension PolicyJudgement.Ruling {
  /// The kinds of rulings: the words of the answers, and `failure`.
  public static let kinds = ["merge", "refuse", "require", "review", "failure"]

  /// The kind of the ruling.
  public var kind: String {
    switch self {
    case .failure: "failure"
    case .answer(.merge): "merge"
    case .answer(.refuse): "refuse"
    case .answer(.require): "require"
    case .answer(.review): "review"
    }
  }
}

extension AccountGraph {
  /// The number of decisions that one page of a filtered list looks at.
  private static let decisionsLookedAt = 10_000

  /// Returns decisions that meet the conditions, newest first, from before an ID.
  ///
  /// A page looks at no more than 10,000 decisions, so it may have fewer than the limit although more follow.
  public func decisions(
    matching filter: DecisionFilter, before: String? = nil, limit: Int, in scope: Scope
  ) async throws -> DecisionPage {
    var page = DecisionPage()
    var (last, seen) = (before, 0)
    while seen < Self.decisionsLookedAt {
      try Task.checkCancellation()
      let found = try await store.read(from: .replica) { [last] in
        try $0.decisions(before: last, limit: Self.decisionsTogether, in: scope)
      }
      for decision in found {
        if let since = filter.since, decision.at < since { return page.ended }
        guard page.decisions.count < limit else { return page }
        page.next = decision.id
        if filter.contains(decision) { page.decisions.append(decision) }
      }
      guard found.count == Self.decisionsTogether else { return page.ended }
      seen += found.count
      last = found.last?.id
    }
    return page
  }
}

extension DecisionPage {
  /// The last page.
  fileprivate var ended: DecisionPage { DecisionPage(decisions: decisions) }
}
