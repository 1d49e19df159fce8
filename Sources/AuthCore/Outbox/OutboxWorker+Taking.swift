extension OutboxWorker {
  private static let mostDropped = 2000

  /// Leases the due events that no earlier one blocks, and removes those that apps do not receive.
  func take() async throws -> [OutboxDelivery] {
    let now = clock()
    let isAnythingThere = try await store.read {
      try !$0.deliveries(dueBy: now, limit: 1).isEmpty
    }
    guard isAnythingThere else { return [] }
    if let store = store as? any OutboxTaking { return try await take(from: store) }
    let schedule = schedule
    return try await store.write { writer in
      var taken: [OutboxDelivery] = []
      var held: Set<AccountID> = []
      var after: Int64 = 0
      var dropped = 0
      // A bound keeps the transaction short for other writers; the next one continues.
      while dropped < Self.mostDropped,
        let page = try Self.page({ try writer.openDeliveries(after: after, limit: 200) })
      {
        for delivery in page {
          after = delivery.event.sequence
          guard delivery.event.concernsApps else {
            try writer.removeDelivery(after)
            dropped += 1
            continue
          }
          let accounts = delivery.event.accounts
          guard delivery.nextAttemptAt <= now, held.isDisjoint(with: accounts) else {
            held.formUnion(accounts)
            continue
          }
          var mine = delivery
          mine.attempts += 1
          mine.nextAttemptAt = now.adding(seconds: schedule.lease)
          try writer.save(mine)
          taken.append(mine)
          if taken.count == schedule.batch { return taken }
        }
      }
      return taken
    }
  }

  /// Leases events from a store that gives each to one worker, and removes those that apps do not receive.
  ///
  /// So several workers can remove in parallel, each its own events.
  private func take(from store: any OutboxTaking) async throws -> [OutboxDelivery] {
    while !Task.isCancelled {
      let now = clock()
      let taken = try await store.takeDeliveries(
        dueBy: now, leaseEnd: now.adding(seconds: schedule.lease), limit: schedule.batch)
      let dropped = taken.filter { !$0.event.concernsApps }
      if !dropped.isEmpty {
        try await store.write { writer in
          for delivery in dropped { try writer.removeDelivery(delivery.event.sequence) }
        }
      }
      guard taken.count == dropped.count, !taken.isEmpty else {
        return taken.filter(\.event.concernsApps)
      }
    }
    return []
  }
}
