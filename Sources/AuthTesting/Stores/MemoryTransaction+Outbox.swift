import AuthCore

extension MemoryTransaction {
  private var deliveries: [OutboxDelivery] {
    outbox(after: 0, limit: .max)
      .map { state.deliveries[$0.sequence] ?? OutboxDelivery(event: $0) }
  }

  func outbox(after sequence: Int64, limit: Int) -> [AuditEvent] {
    let behind = Int(clamping: max(0, sequence))
    let rest = state.log.prefix(state.eventCount).dropFirst(behind).lazy
      .filter { [state] in !state.delivered.contains($0.sequence) }
    return Array(rest.prefix(max(0, limit)))
  }

  func deliveries(dueBy now: Timestamp, limit: Int) -> [OutboxDelivery] {
    let due = deliveries.filter { !$0.isDead && $0.nextAttemptAt <= now }
      .sorted { a, b in
        (a.nextAttemptAt, a.event.sequence) < (b.nextAttemptAt, b.event.sequence)
      }
    return Array(due.prefix(max(0, limit)))
  }

  func openDeliveries(after sequence: Int64, limit: Int) -> [OutboxDelivery] {
    let open = deliveries.filter { !$0.isDead && $0.event.sequence > sequence }
    return Array(open.prefix(max(0, limit)))
  }

  func deadDeliveries(after sequence: Int64, limit: Int) -> [OutboxDelivery] {
    let dead = deliveries.filter { $0.isDead && $0.event.sequence > sequence }
    return Array(dead.prefix(max(0, limit)))
  }

  func save(_ delivery: OutboxDelivery) {
    let sequence = delivery.event.sequence
    let isThere = (1...Int64(max(1, state.eventCount))).contains(sequence)
    guard isThere, !state.delivered.contains(sequence) else { return }
    state.deliveries[sequence] = delivery
  }

  func removeDelivery(_ sequence: Int64) {
    state.delivered.insert(sequence)
    state.deliveries[sequence] = nil
  }
}
