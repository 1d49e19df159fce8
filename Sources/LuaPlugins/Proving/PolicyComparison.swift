public import AuthCore

/// The conflicts that two versions of a policy answer differently.
public struct PolicyComparison: Sendable {
  /// Conflicts with the same difference.
  public struct Difference: Sendable, Hashable {
    /// The answer of the first version.
    public let before: String
    /// The answer of the second version.
    public let after: String
    /// The number of conflicts.
    public let cases: Int
    /// The smallest conflict in words.
    public let pair: String
    /// The smallest conflict as an example that expects the second version's answer.
    public let example: String
  }

  /// The number of conflicts that either version was asked about.
  public let cases: Int
  /// The time it took, in seconds.
  public let seconds: Double
  /// The differences, the most frequent first.
  public let differences: [Difference]

  /// Compares two versions; throws `invalid-policy` if one cannot be compiled.
  public init(of first: PolicySource, and second: PolicySource) throws(AuthError) {
    let clock = ContinuousClock()
    let start = clock.now
    let comparer = PolicyComparer(
      first: try PolicyTrial(first), second: try PolicyTrial(second),
      PolicyLiterals("\(first.text)\n\(second.text)"))
    (cases, differences) = comparer.compare()
    let time = (clock.now - start).components
    seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
  }
}

/// Compares the answers of two policies.
private struct PolicyComparer {
  let first: PolicyTrial
  let second: PolicyTrial
  private let space: PairSpace

  private struct Pair: Hashable {
    let before: String
    let after: String
  }

  init(first: PolicyTrial, second: PolicyTrial, _ literals: PolicyLiterals) {
    (self.first, self.second) = (first, second)
    space = PairSpace(
      triggers: first.policy.triggers.union(second.policy.triggers),
      answersUnproven: first.policy.answersUnproven || second.policy.answersUnproven, literals)
  }

  func compare() -> (Int, [PolicyComparison.Difference]) {
    var cases = 0
    var found: [Pair: (count: Int, kind: PairKind)] = [:]
    // A file that its limits stop again and again would take minutes.
    var exhausted = 0
    for kind in space.kinds where exhausted < 12 {
      guard let conflict = space.conflict(kind) else { continue }
      let answers = [first.answer(conflict), second.answer(conflict)]
      guard answers.contains(where: { if case .notAsked = $0 { false } else { true } }) else {
        continue
      }
      cases += 1
      for case .fails(let failure) in answers where failure.isExhausted { exhausted += 1 }
      guard let pair = difference(answers[0], answers[1]) else { continue }
      let known = found[pair]
      let isSmaller = known.map { kind.weight < $0.kind.weight } ?? true
      found[pair] = ((known?.count ?? 0) + 1, isSmaller ? kind : known?.kind ?? kind)
    }
    let differences = found.compactMap { pair, found in
      difference(pair, found.kind, cases: found.count)
    }
    return (cases, differences.sorted { ($1.cases, $0.pair) < ($0.cases, $1.pair) })
  }

  private func difference(_ pair: Pair, _ kind: PairKind, cases: Int) -> PolicyComparison
    .Difference?
  {
    let kind = space.smallest(kind) { kind in
      guard let conflict = space.conflict(kind) else { return false }
      return difference(first.answer(conflict), second.answer(conflict)) == pair
    }
    guard let conflict = space.conflict(kind) else { return nil }
    let expectation: PolicyExpectation
    switch second.answer(conflict) {
    case .merges(let side, _): expectation = .merge(into: side.rawValue)
    case .refuses, .fails, .notAsked: expectation = .refusal()
    }
    return .init(
      before: pair.before, after: pair.after, cases: cases, pair: space.name(kind),
      example: conflict.exampleText(named: space.name(kind), expecting: expectation))
  }

  /// The difference between two answers; nil if they are the same.
  private func difference(_ before: PolicyTrial.Answer, _ after: PolicyTrial.Answer) -> Pair? {
    switch (before, after) {
    case (.merges(let a, let old), .merges(let b, let new)) where a == b:
      let fields = MergeField.listed.filter { old.result.shown($0) != new.result.shown($0) }
      var names = fields.map(\.rawValue)
      if Set(old.droppedIdentities) != Set(new.droppedIdentities) { names.append("identities") }
      guard !names.isEmpty else { return nil }
      return Pair(
        before: before.text, after: "the same with other \(names.joined(separator: ", "))")
    case (.refuses(let a), .refuses(let b)):
      return a == b ? nil : Pair(before: before.text, after: "refuses for another reason")
    default:
      return before.text == after.text ? nil : Pair(before: before.text, after: after.text)
    }
  }
}

extension PolicyTrial.Answer {
  fileprivate var text: String {
    switch self {
    case .notAsked: "is not asked"
    case .refuses: "refuses"
    case .merges(let side, _): "keeps the \(side.rawValue) account"
    case .fails: "fails"
    }
  }
}
