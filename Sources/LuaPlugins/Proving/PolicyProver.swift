import AuthCore

/// Tries a policy on all kinds of conflicts, and keeps the smallest of each finding.
struct PolicyProver {
  let trial: PolicyTrial
  private(set) var cases = 0
  private(set) var notAsked = 0
  private(set) var isCut = false
  private(set) var findings: [PolicyFinding] = []
  private let judge: PairJudge
  private let space: PairSpace
  private let literals: PolicyLiterals

  /// A finding with the smallest kind so far.
  private struct Found {
    var count = 1
    var kind: PairKind
  }

  /// The number of conflicts that may exhaust a limit before the search ends.
  private static let mostExhausted = 12
  /// The number of findings of one property.
  private static let mostOfAProperty = 4

  init(_ source: PolicySource) throws(AuthError) {
    trial = try PolicyTrial(source)
    literals = PolicyLiterals(source.text)
    judge = PairJudge(trial: trial, readsTime: literals.readsTime)
    space = PairSpace(
      triggers: trial.policy.triggers, answersUnproven: trial.policy.answersUnproven, literals)
  }

  mutating func run() {
    var found: [FindingKey: Found] = [:]
    var exhausted = 0
    var dependsOnProof = false
    for kind in space.kinds {
      guard let conflict = space.conflict(kind) else { continue }
      let judgement = judge.judge(conflict)
      switch judgement.answer {
      case .notAsked:
        notAsked += 1
        continue
      case .fails(let failure) where failure.isExhausted: exhausted += 1
      default: break
      }
      cases += 1
      dependsOnProof = dependsOnProof || judgement.dependsOnProof
      for key in judgement.findings.keys {
        guard var known = found[key] else {
          found[key] = Found(kind: kind)
          continue
        }
        known.count += 1
        if kind.weight < known.kind.weight { known.kind = kind }
        found[key] = known
      }
      guard exhausted < Self.mostExhausted else {
        isCut = true
        break
      }
    }
    findings = found.compactMap { key, found in
      finding(key, found, isBlind: key.property == .proven && !dependsOnProof)
    }
    if !isCut {
      let three = ThreeAccounts(trial: trial, space: space)
      findings += three.findings()
    }
    order()
  }

  /// Faults come first, then what concerns more conflicts; of one property a few are enough.
  private mutating func order() {
    let places = Dictionary(
      uniqueKeysWithValues: PolicyProperty.allCases.enumerated().map { ($1, $0) })
    findings.sort { a, b in
      if a.isFault != b.isFault { return a.isFault }
      if a.property != b.property {
        return places[a.property, default: 0] < places[b.property, default: 0]
      }
      return (b.cases, a.text) < (a.cases, b.text)
    }
    var counts: [PolicyProperty: Int] = [:]
    findings.removeAll { finding in
      counts[finding.property, default: 0] += 1
      return counts[finding.property, default: 0] > Self.mostOfAProperty
    }
  }

  /// Makes the smallest case of a finding; `isBlind` if the policy offers merges whatever is proven.
  private func finding(_ key: FindingKey, _ found: Found, isBlind: Bool) -> PolicyFinding? {
    let kind = space.smallest(found.kind) { kind in
      space.conflict(kind).map { judge.judge($0).findings[key] != nil } ?? false
    }
    guard let conflict = space.conflict(kind) else { return nil }
    let judgement = judge.judge(conflict)
    guard let text = judgement.findings[key] else { return nil }
    return PolicyFinding(
      property: key.property, isFault: key.isFault || isBlind,
      text: isBlind
        ? "It offers to merge whatever is proven: no answer depends on conflict.proof." : text,
      pair: space.name(kind), cases: found.count,
      example: example(of: key, conflict, judgement.answer, named: space.name(kind)))
  }

  /// The smallest case as an example that says what should happen.
  private func example(
    of key: FindingKey, _ conflict: MergeConflict, _ answer: PolicyTrial.Answer,
    named name: String
  ) -> String {
    guard let side = answer.side else {
      return conflict.exampleText(named: name, expecting: .refusal())
    }
    let text = conflict.exampleText(named: name, expecting: .merge(into: side.rawValue))
    switch key.property {
    case .proven: return conflict.exampleText(named: name, expecting: .refusal())
    case .symmetric where key.isFault:
      // The same person stays.
      return text + "\n"
        + conflict.swapped.exampleText(
          named: "\(name), swapped", expecting: .merge(into: side.other.rawValue))
    default: return text
    }
  }
}
