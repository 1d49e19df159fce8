import AuthCore
import AuthTesting

/// Decides every snapshot of a question and checks the laws; used by one task.
final class SnapshotExaminer {
  private let rules: SnapshotRules
  private let plain = SnapshotRules()
  private let hasFault: Bool
  private let bounds: SnapshotProof.Bounds
  private let accounts = SnapshotAccounts()
  /// Cases of the question under other names.
  private var renamedCases: [Renaming: SnapshotCases] = [:]

  init(_ fault: PlantedRule?, _ bounds: SnapshotProof.Bounds) {
    rules = SnapshotRules(fault)
    hasFault = fault != nil
    self.bounds = bounds
  }

  func examine(_ question: Question, _ progress: SnapshotProgress) throws {
    let cases = SnapshotCases(question, of: accounts)
    renamedCases = [:]
    var generator = SeededGenerator(seed: bounds.seed &+ question.order)
    var (decided, states, isOver) = (0, 0, false)
    let enumeration = SnapshotEnumeration(
      of: question, weight: question.weight(at: bounds.size))
    try enumeration.forEach { snapshot in
      guard !isOver else { return }
      decided += 1
      states += snapshot.orbit
      let state = cases.make(snapshot.slots)
      var renaming: SnapshotRenaming?
      if generator.next() % bounds.renamed == 0 { renaming = .random(using: &generator) }
      if let found = try violation(on: state, snapshot.slots, renaming, cases, by: rules) {
        let plain =
          hasFault
          ? try violation(on: state, snapshot.slots, renaming, cases, by: self.plain) : found
        progress.note(
          SnapshotProof.Counterexample(
            violation: found, script: SnapshotScript(state: state).text,
            trace: Self.text(rules.decide(state).trace), isOfTheRules: plain != nil))
        isOver = true
      }
      if decided % 512 == 0 {
        progress.add(decided: decided, states: states)
        (decided, states) = (0, 0)
        isOver = isOver || progress.isOver
      }
    }
    progress.add(decided: decided, states: states)
  }

  private func renamedCases(of cases: SnapshotCases, by renaming: Renaming) -> SnapshotCases {
    if let known = renamedCases[renaming] { return known }
    let others = SnapshotCases(cases.question.renamed(by: renaming), of: accounts)
    renamedCases[renaming] = others
    return others
  }

  private static func text(_ trace: Trace) -> String {
    trace.steps.map { step in
      let inputs = step.inputs.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      return "\(step.rule) (\(inputs)): \(step.result)"
    }.joined(separator: "\n")
  }

  private func violation(
    on state: SnapshotCase, _ slots: [UInt32], _ renaming: SnapshotRenaming?,
    _ cases: SnapshotCases, by rules: SnapshotRules
  ) throws -> Violation? {
    let decided = rules.decide(state)
    let judged = JudgedCase(state, try rules.outcome(of: decided, on: state))
    if let broken = SnapshotLaw.violation(of: judged) { return broken }
    guard let renaming else { return nil }
    let other = renaming.renamed(slots, renamedCases(of: cases, by: renaming.renaming))
    return renaming.difference(
      decided.decision, on: state, rules.decide(other).decision, on: other)
  }
}

extension SnapshotRenaming {
  fileprivate static func random(using generator: inout SeededGenerator) -> SnapshotRenaming {
    let renaming = Renaming.all[Int(generator.next() % 16)]
    return SnapshotRenaming(renaming: renaming, uids: [0, 1, 2].shuffled(using: &generator))
  }
}
