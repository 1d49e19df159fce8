import AuthCore
import ProviderChecks

extension StoreCheck {
  static let outbox = [
    StoreCheck("a new event is due at once, and was never tried") { store in
      let scope = Scope(project: "other", tenant: "t")
      try await store.append(Sample.event("1"))
      try await store.append(Sample.event("2", in: scope, about: "a"))

      try await store.read { reader in
        let due = try reader.deliveries(dueBy: Sample.noon, limit: 9)
        let wanted = try reader.outbox(after: 0, limit: 9).map { OutboxDelivery(event: $0) }
        try expect(due, is: wanted, "The list")
        try expect(due.map(\.event.scope), is: [Sample.scope, scope], "The list of scopes")
        try expect(
          try reader.deliveries(dueBy: Sample.noon, limit: 1).map(\.event.id), is: ["1"],
          "The first page")
        for limit in [0, -1] {
          try expect(try reader.deliveries(dueBy: Sample.noon, limit: limit), is: [], "The page")
        }
      }
    },
    StoreCheck("a delivery that was put off is due when its time has come") { store in
      for number in 1...3 { try await store.append(Sample.event("\(number)")) }
      try await store.putOff("1", to: Sample.noon.adding(seconds: 20), attempts: 2)
      try await store.putOff("2", to: Sample.noon.adding(seconds: 10), attempts: 1)

      for (seconds, wanted) in [
        (0, ["3"]), (9, ["3"]), (10, ["3", "2"]), (20, ["3", "2", "1"]),
      ] as [(Int64, [String])] {
        try expect(
          try await store.due(Sample.noon.adding(seconds: seconds)).map(\.event.id), is: wanted,
          "The list after \(seconds) seconds")
      }
      let first = try await store.due(Sample.noon.adding(seconds: 20)).last
      try expect(first?.attempts, is: 2, "The number of attempts")
      try expect(
        first?.nextAttemptAt, is: Sample.noon.adding(seconds: 20), "The time of the attempt")
      try expect(
        try await store.read { try $0.outbox(after: 0, limit: 9).map(\.id) },
        is: ["1", "2", "3"], "The outbox")
    },
    StoreCheck("a delivered event leaves the outbox and stays in the history") { store in
      for number in 1...2 { try await store.append(Sample.event("\(number)")) }
      let delivery = try await store.delivery("1")

      try await store.write { writer in
        try writer.removeDelivery(delivery.event.sequence)
        try writer.removeDelivery(delivery.event.sequence)
        try writer.removeDelivery(1_000_000)
        try expect(try writer.outbox(after: 0, limit: 9).map(\.id), is: ["2"], "The outbox")
      }

      try expect(try await store.due(Sample.noon).map(\.event.id), is: ["2"], "The list")
      try expect(
        try await store.read { try $0.event("1", in: Sample.scope) }, is: delivery.event,
        "The event")
      // A second, slower deliverer.
      try await store.write { try $0.save(delivery) }
      try expect(try await store.due(Sample.noon).map(\.event.id), is: ["2"], "The list")
    },
    StoreCheck("a delivery that was given up is due no more, and can be taken up again") { store in
      for number in 1...3 { try await store.append(Sample.event("\(number)")) }
      for id in ["1", "3"] {
        var delivery = try await store.delivery(id)
        delivery.attempts = 12
        delivery.isDead = true
        let dead = delivery
        try await store.write { try $0.save(dead) }
      }

      try expect(try await store.due(Sample.noon).map(\.event.id), is: ["2"], "The list")
      let dead = try await store.read { try $0.deadDeliveries(after: 0, limit: 9) }
      try expect(dead.map(\.event.id), is: ["1", "3"], "The list of dead ones")
      try expect(dead.map(\.attempts), is: [12, 12], "The list of attempts")
      let first = dead.first?.event.sequence ?? 0
      try expect(
        try await store.read { try $0.deadDeliveries(after: first, limit: 9).map(\.event.id) },
        is: ["3"], "The next page")
      try expect(
        try await store.read { try $0.deadDeliveries(after: 0, limit: 1).map(\.event.id) },
        is: ["1"], "The first page")
      try expect(
        try await store.read { try $0.outbox(after: 0, limit: 9).map(\.id) },
        is: ["1", "2", "3"], "The outbox")

      if var again = dead.first {
        again.isDead = false
        let revived = again
        try await store.write { try $0.save(revived) }
      }
      try expect(try await store.due(Sample.noon).map(\.event.id), is: ["1", "2"], "The list")
    },
    StoreCheck("of many that take one delivery at once, one gets it") { store in
      try await store.append(Sample.event("1"))
      let takers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<16 {
          group.addTask {
            try await store.write { writer in
              let due = try writer.deliveries(dueBy: Sample.noon, limit: 9)
              for var delivery in due {
                delivery.attempts += 1
                delivery.nextAttemptAt = Sample.noon.adding(seconds: 60)
                try writer.save(delivery)
              }
              return due.count
            }
          }
        }
        return try await group.reduce(0, +)
      }

      try expect(takers, is: 1, "The number of takers")
      try expect(
        try await store.due(Sample.noon.adding(seconds: 60)).map(\.attempts), is: [1],
        "The list of attempts")
    },
  ]
}

extension AccountStore {
  fileprivate func due(_ now: Timestamp) async throws -> [OutboxDelivery] {
    try await read { try $0.deliveries(dueBy: now, limit: 9) }
  }

  fileprivate func delivery(_ id: String) async throws -> OutboxDelivery {
    guard let found = try await due(Sample.noon).first(where: { $0.event.id == id }) else {
      throw CheckFailure("The event \(id) is not due.")
    }
    return found
  }

  fileprivate func putOff(_ id: String, to time: Timestamp, attempts: Int) async throws {
    var delivery = try await delivery(id)
    delivery.attempts = attempts
    delivery.nextAttemptAt = time
    let putOff = delivery
    try await write { try $0.save(putOff) }
  }
}
