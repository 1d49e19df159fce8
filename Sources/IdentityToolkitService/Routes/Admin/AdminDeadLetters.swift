import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/outbox/deadLetters"

  static let deadLetters: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listDeadLetters",
      summary: "The events whose delivery was given up, oldest first.", needs: .audit,
      query: [
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("deadLetters", of: "DeadLetter")
    ) { try await $0.listDeadLetters() },
    AdminOperation(
      method: .post, path: "\(collection)/{id}:retry", id: "retryDeadLetter",
      summary: "Delivers an event again.", needs: .config,
      answer: Schema.object([Schema.Member]()),
      errors: [404: "There is no dead letter with this ID."]
    ) { try await $0.retryDeadLetter() },
  ]
}

extension AdminHandler {
  private var outbox: OutboxWorker {
    OutboxWorker(store: graph.store, sink: ClosedSink(), clock: services.clock)
  }

  /// Lists the dead letters of the scope.
  ///
  /// The store keeps those of all projects together.
  fileprivate func listDeadLetters() async throws -> Answer {
    let limit = try pageLimit()
    let token = try PageToken(query.filled("pageToken")).last
    var after = token.flatMap { Int64($0) } ?? 0
    var found: [OutboxDelivery] = []
    while found.count < limit {
      try Task.checkCancellation()
      let page = try await outbox.deadLetters(after: after, limit: limit)
      guard let last = page.last else { return answer(found, next: nil) }
      for letter in page where letter.event.scope == scope && found.count < limit {
        found.append(letter)
      }
      after = found.count == limit ? found.last?.event.sequence ?? after : last.event.sequence
    }
    return answer(found, next: after)
  }

  private func answer(_ letters: [OutboxDelivery], next: Int64?) -> Answer {
    .page(
      "deadLetters",
      letters.map { ["event": shown($0.event), "attempts": .integer(Int64($0.attempts))] },
      next: next.map { "\($0)" })
  }

  fileprivate func retryDeadLetter() async throws -> Answer {
    // An event of another scope is not visible to this admin.
    let event = try await graph.event(path["id"] ?? "", in: scope)
    try await outbox.retryDeadLetter(event.id)
    return .json([:])
  }
}

/// A sink that delivers nothing, for listing dead letters.
private struct ClosedSink: OutboxSink {
  func deliver(_ event: AuditEvent) async throws { throw CancellationError() }
}
