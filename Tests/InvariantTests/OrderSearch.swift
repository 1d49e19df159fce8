import AuthCore

/// Searches for a sequential order of steps in which a single thread gives every actual result.
///
/// A step that ended before another began stays before it. The sequence numbers of events are the first guess, and
/// nearly always right. If the model disagrees with a step, the step is tried before those that it may not have seen,
/// or after those that it may have seen. Each such repair is undone if it leads nowhere.
struct OrderSearch {
  private(set) var model: ReferenceModel
  /// The number of corrections to the first guess.
  private(set) var repairs = 0
  /// The disagreement at the farthest position of the search.
  private(set) var obstacle: String?
  private var steps: [HistoryStep]
  /// The model's state before each replayed step.
  private var marks: [ReferenceModel.Mark] = []
  private var farthest = -1
  private var tried: Set<[Int]> = []
  /// The remaining repairs.
  ///
  /// Each is a guess; a history that needs more than these has no order.
  private var patience = 2000
  private var identifiers: [Int]

  init(_ model: ReferenceModel, _ steps: [HistoryStep]) {
    self.model = model
    self.steps = Self.ordered(steps)
    identifiers = Array(steps.indices)
  }

  /// Runs the search.
  ///
  /// The closure returns the fault of the final state, if there is one.
  mutating func run(_ wrong: (ReferenceModel) -> String?) -> Bool {
    marks = [model.mark]
    return replay(from: 0, wrong)
  }

  /// Orders steps by sequence number, as far as their times allow.
  private static func ordered(_ steps: [HistoryStep]) -> [HistoryStep] {
    var queues = Dictionary(grouping: steps, by: \.writer)
      .mapValues { $0.sorted { $0.start > $1.start } }
    var ordered: [HistoryStep] = []
    while ordered.count < steps.count {
      let heads = queues.compactMap { $0.value.last }
      let firstEnd = heads.map(\.end).min() ?? 0
      let next = heads.filter { $0.start <= firstEnd }
        .min { $0.event.sequence < $1.event.sequence }
      guard let next else { break }
      ordered.append(next)
      queues[next.writer]?.removeLast()
    }
    return ordered
  }

  private mutating func replay(
    from start: Int, _ wrong: (ReferenceModel) -> String?
  ) -> Bool {
    var position = start
    while position < steps.count {
      guard let disagreement = apply(position) else {
        position += 1
        continue
      }
      note("\(disagreement)\nbefore it: \(story(before: position))", at: position)
      return repair(position, wrong)
    }
    guard let problem = wrong(model) else { return true }
    note(problem, at: position)
    return false
  }

  /// Returns the account's history before a step, for a reader of the failure.
  private func story(before position: Int) -> String {
    guard position > farthest, let account = steps[position].event.accountID else { return "" }
    let about = steps[..<position].filter { step in
      step.event.accountID == account || step.event.relatedIDs.contains(account)
    }
    return about.suffix(8).map { step in
      "\(step.event.sequence) \(step.operation) \(step.event.errorCode ?? "done")"
    }.joined(separator: "\n  ")
  }

  private mutating func note(_ problem: String, at position: Int) {
    guard position > farthest else { return }
    farthest = position
    obstacle = problem
  }

  /// Replays the step of a position.
  ///
  /// If it disagrees, the model stays as it was.
  private mutating func apply(_ position: Int) -> String? {
    marks.removeSubrange((position + 1)...)
    let disagreement = model.disagreement(with: steps[position])
    if disagreement != nil {
      model.rewind(to: marks[position])
    } else {
      marks.append(model.mark)
    }
    return disagreement
  }

  private mutating func rewind(to position: Int) {
    model.rewind(to: marks[position])
    marks.removeSubrange((position + 1)...)
  }

  /// Tries other positions around a step that the model disagrees with.
  private mutating func repair(
    _ position: Int, _ wrong: (ReferenceModel) -> String?
  ) -> Bool {
    for (first, order) in alternatives(around: position) {
      guard patience > 0 else { return false }
      let key = [first] + order.map { identifiers[$0] }
      guard tried.insert(key).inserted else { continue }
      patience -= 1
      let before = (steps, identifiers)
      let replaced = first..<first + order.count
      steps.replaceSubrange(replaced, with: order.map { before.0[$0] })
      identifiers.replaceSubrange(replaced, with: order.map { before.1[$0] })
      rewind(to: first)
      if replaced.allSatisfy({ apply($0) == nil }) {
        repairs += 1
        if replay(from: replaced.upperBound, wrong) { return true }
        repairs -= 1
      }
      (steps, identifiers) = before
      rewind(to: first)
      // Replays the steps up to this one, which succeeded before.
      for index in first..<position { _ = apply(index) }
    }
    return false
  }

  /// Returns other orders of the steps around one, the likeliest first, each with the first position that it changes.
  private func alternatives(around position: Int) -> [(first: Int, order: [Int])] {
    let step = steps[position]
    var found: [(Int, [Int])] = []
    let earliest = earliestConcurrent(with: step, before: position)
    // Before steps whose changes it had not seen. A step that was over when it began stays before it.
    for first in stride(from: position - 1, through: earliest, by: -1) {
      guard !steps[first].isBefore(step) else { continue }
      let window = first..<position
      found.append(
        (
          first,
          window.filter { steps[$0].isBefore(step) } + [position]
            + window.filter { !steps[$0].isBefore(step) }
        ))
    }
    // A single step that happened later than its event was written.
    for first in stride(from: position - 1, through: earliest, by: -1) {
      let between = Array(first + 1...position)
      guard !between.contains(where: { steps[first].isBefore(steps[$0]) }) else { continue }
      found.append((first, between + [first]))
    }
    // After steps whose changes it had seen already.
    var last = position + 1
    while last < steps.count, !step.isBefore(steps[last]), last - position < 500 {
      found.append((position, Array(position + 1...last) + [position]))
      last += 1
    }
    return found
  }

  /// Returns the first step before a position that was not over when a step began, within a window.
  private func earliestConcurrent(with step: HistoryStep, before position: Int) -> Int {
    let window = max(0, position - 500)..<position
    return window.first { !steps[$0].isBefore(step) } ?? position
  }
}
