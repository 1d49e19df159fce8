import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/events"

  static let events: [AdminOperation] = [
    AdminOperation(
      method: .get, path: collection, id: "listEvents", summary: "The audit, newest first.",
      needs: .audit,
      query: [
        Schema.Member("account", Schema.text, "The uid of an account that was involved."),
        Schema.Member("action", Schema.text, "The action, such as merge."),
        Schema.Member("errorCode", Schema.text, "The code of a refusal."),
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("events", of: "Event")
    ) { try await $0.listEvents() },
    AdminOperation(
      method: .get, path: "\(collection)/{id}:why", id: "explainEvent",
      summary: "The rules behind an event, each with its input and result.", needs: .audit,
      answer: Schema.object([
        "event": OpenAPI.reference("Event"), "trace": Schema.list(OpenAPI.reference("Step")),
      ]), errors: [404: "There is no such event."]
    ) { handler in
      let event = try await handler.graph.event(handler.path["id"] ?? "", in: handler.scope)
      return .json(["event": event.adminJSON, "trace": event.trace.adminJSON])
    },
    AdminOperation(
      method: .get, path: "\(collection)/{id}", id: "getEvent", summary: "One event of the audit.",
      needs: .audit, answer: OpenAPI.reference("Event"), errors: [404: "There is no such event."]
    ) { handler in
      .json(try await handler.graph.event(handler.path["id"] ?? "", in: handler.scope).adminJSON)
    },
  ]

  /// The maximum number of events that one request searches.
  fileprivate static let farthestLook = 10_000
}

extension AdminHandler {
  fileprivate func listEvents() async throws -> Answer {
    let limit = try pageLimit()
    let accounts = try query.filled("account").map { [AccountID($0)] }
    let action = try query.filled("action")
    let code = try query.filled("errorCode")
    let token = try PageToken(query.filled("pageToken")).last
    var before = token.flatMap { Int64($0) }
    var (found, looked, isOver) = ([AuditEvent](), 0, false)
    while found.count < limit, looked < AdminOperation.farthestLook, !isOver {
      let (start, scope) = (before, scope)
      let page = try await graph.store.read {
        try $0.events(about: accounts, before: start, limit: limit, in: scope)
      }
      for event in page where found.count < limit {
        before = event.sequence
        looked += 1
        if action.map({ $0 == event.action.rawValue }) ?? true,
          code.map({ $0 == event.errorCode }) ?? true
        {
          found.append(event)
        }
      }
      isOver = page.count < limit
    }
    let isWhole = isOver && found.count < limit
    return .page("events", found.map(\.adminJSON), next: isWhole ? nil : before.map { "\($0)" })
  }
}
