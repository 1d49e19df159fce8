extension OutboxWorker {
  private static let mostDropped = 2000

  /// Takes what is due and not held back, and drops what nobody wants to hear of.
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
      // One transaction does not hold other writers up for long; the next one goes on.
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

  /// Takes events from a store that gives each to one worker, and drops those of them that nobody wants to
  /// hear of.
  ///
  /// So several workers drop side by side, and none touches what is another's.
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
