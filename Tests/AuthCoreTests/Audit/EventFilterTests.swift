import AuthCore
import Testing

@Suite struct `A filter of events` {
  @Test(arguments: [
    ("console-ab", "console-ab", true), ("console-ab", "console-ab-12", true),
    ("console-ab", "console-ab-", false), ("console-ab", "console-ab-1x", false),
    ("console-ab", "console-abc", false), ("console-ab-1", "console-ab-12", false),
    ("console-ab-1", "console-ab-1", true), ("req", "req-1", false), ("req", "req", true),
  ])
  func `finds a request, and a session's statements`(
    _ wanted: String, _ request: String, _ isFound: Bool
  ) {
    var filter = EventFilter()
    filter.requestID = wanted
    let event = AuditEvent(
      id: "1", scope: Scope(project: "p"), at: Timestamp(milliseconds: 0), actor: "admin:ada",
      reason: nil, action: .create, accountID: nil,
      details: ["client": ["requestID": .string(request)]])
    #expect(filter.matches(event) == isFound)
  }
}
