import AuthCore
import Foundation
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
        Schema.Member("actor", Schema.text, "The caller's name, such as admin:ada."),
        Schema.Member("requestID", Schema.text, "The ID of the request."),
        Schema.Member(
          "since", Schema.text,
          "The earliest time: RFC 3339, a date in UTC, or a span such as 2h or 1 day ago."),
        Schema.Member("until", Schema.text, "The time before which it was, in the same forms."),
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
      return .json(["event": handler.shown(event), "trace": event.trace.adminJSON])
    },
    AdminOperation(
      method: .get, path: "\(collection)/{id}", id: "getEvent", summary: "One event of the audit.",
      needs: .audit, answer: OpenAPI.reference("Event"), errors: [404: "There is no such event."]
    ) { handler in
      .json(
        handler.shown(try await handler.graph.event(handler.path["id"] ?? "", in: handler.scope)))
    },
  ]
}

extension AdminHandler {
  /// Returns an event; accounts' values before and after only for an admin who may read accounts.
  func shown(_ event: AuditEvent) -> JSONValue {
    (call.seesAccounts ? event : event.withoutValues).adminJSON
  }

  fileprivate func listEvents() async throws -> Answer {
    let limit = try pageLimit()
    let filter = try eventFilter()
    let token = try PageToken(query.filled("pageToken")).last
    let events = try await graph.events(
      matching: filter ?? EventFilter(accounts: []), before: token.flatMap { Int64($0) },
      limit: limit, in: scope)
    let last = events.count == limit ? events.last : nil
    return .page("events", events.map(shown), next: last.map { "\($0.sequence)" })
  }

  /// Returns the filter of the query; nil for an action that no event has.
  private func eventFilter() throws -> EventFilter? {
    var filter = EventFilter(accounts: try query.filled("account").map { [AccountID($0)] })
    if let name = try query.filled("action") {
      guard let action = Action(rawValue: name) else { return nil }
      filter.action = action
    }
    filter.errorCode = try query.filled("errorCode")
    filter.actor = try query.filled("actor")
    filter.requestID = try query.filled("requestID")
    filter.since = try time("since")
    filter.until = try time("until")
    return filter
  }

  /// Returns a time of the query.
  func time(_ name: String) throws -> Timestamp? {
    try query.filled(name).map { text in
      try TimePhrase.time(text, field: name, now: graph.clock(), in: .gmt)
    }
  }
}
