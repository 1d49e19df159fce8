import AuthCore
import RandomOperations

/// An operation that happened: its request, its result, and the times between which it ran.
struct HistoryStep {
  let writer: Int
  let start: UInt64
  let end: UInt64
  let operation: Operation
  let event: AuditEvent

  /// Tells whether this step ended before the other began, so that no order may reverse them.
  func isBefore(_ other: HistoryStep) -> Bool {
    end < other.start || writer == other.writer && start < other.start
  }
}

extension ReferenceModel {
  /// Replays a step.
  ///
  /// Returns nil if the model gives the actual result, or else the model's result.
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
