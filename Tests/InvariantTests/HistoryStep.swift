import AuthCore
import RandomOperations

/// Something that happened: what was wanted, what came of it, and between which moments.
struct HistoryStep {
  let writer: Int
  let start: UInt64
  let end: UInt64
  let operation: Operation
  let event: AuditEvent

  /// Whether it was over when another began; then no order may have it behind.
  func isBefore(_ other: HistoryStep) -> Bool {
    end < other.start || writer == other.writer && start < other.start
  }
}

extension ReferenceModel {
  /// Replays a step; nil where the model gives what was given, and otherwise what it says instead.
  mutating func disagreement(with step: HistoryStep) -> String? {
    switch replay(step.operation, step.event) {
    case .either: return nil
    case .done(let id):
      guard step.event.errorCode != nil || step.event.accountID != id else { return nil }
      return "the model did it for \(id): \(step.operation): \(step.event)"
    case .refused(let code):
      guard step.event.errorCode != code.rawValue else { return nil }
      return "the model refused with \(code): \(step.operation): \(step.event)"
    case .impossible:
      return "the model knows no way to do this: \(step.operation): \(step.event)"
    }
  }
}
