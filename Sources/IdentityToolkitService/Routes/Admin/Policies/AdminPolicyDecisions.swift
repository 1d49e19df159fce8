import AuthCore
import IdentityToolkit
import SessionTokens

/// The log of decisions: conflicts and answers, masked as they are stored.
extension AdminOperation {
  private static let decisions = "/projects/{project}/policy/decisions"

  static let policyDecisions: [AdminOperation] = [
    AdminOperation(
      method: .get, path: decisions, id: "listPolicyDecisions",
      summary:
        "The conflicts that policies decided, newest first; what identifies a person is masked.",
      needs: .audit,
      query: [
        Schema.Member(
          "since", Schema.text,
          "The earliest time: RFC 3339, a date in UTC, or a span such as 2h or 1 day ago."),
        Schema.Member("until", Schema.text, "The time before which it was, in the same forms."),
        Schema.Member("code", Schema.text, "The conflict, such as credential-already-in-use."),
        Schema.Member("provider", Schema.text, "The provider of the conflict."),
        Schema.Member(
          "answer", Schema.choice(PolicyJudgement.Ruling.kinds),
          "The answer that was carried out; failure if the policy failed."),
        Schema.Member("version", Schema.number, "The version that was asked, also in the shadow."),
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member(
          "pageToken", Schema.text,
          "The nextPageToken of the previous page, which may have fewer results than the limit."),
      ], answer: Schema.page("decisions", of: "Decision")
    ) { try await $0.listDecisions() },
    AdminOperation(
      method: .get, path: "\(decisions)/{id}", id: "getPolicyDecision",
      summary: "The decision that an event or a receipt names, with its masked conflict.",
      needs: .audit, answer: OpenAPI.reference("Decision"),
      errors: [404: "The log has no decision of this event."]
    ) { handler in
      let decision = try await handler.graph.decision(handler.path["id"] ?? "", in: handler.scope)
      return .json(try decision.adminJSON(withConflict: true))
    },
  ]
}

extension AdminHandler {
  fileprivate func listDecisions() async throws -> Answer {
    var filter = DecisionFilter()
    filter.since = try time("since")
    filter.until = try time("until")
    filter.code = try query.filled("code").map { AuthError.Code($0) }
    filter.provider = try query.filled("provider").map { ProviderID($0) }
    filter.version = try query.integer("version").flatMap { Int(exactly: $0) }
    if let kind = try query.filled("answer") {
      let kinds = PolicyJudgement.Ruling.kinds
      guard kinds.contains(kind) else {
        throw AuthError(
          .invalidArgument, "There is no answer \"\(kind)\".", field: "answer",
          remedy: suggestion(for: kind, among: kinds))
      }
      filter.answer = kind
    }
    let page = try await graph.decisions(
      matching: filter, before: try PageToken(query.filled("pageToken")).last,
      limit: try pageLimit(), in: scope)
    return .page(
      "decisions", try page.decisions.map { try $0.adminJSON(withConflict: false) },
      next: page.next)
  }
}

extension PolicyDecision {
  fileprivate func adminJSON(withConflict: Bool) throws -> JSONValue {
    var decision: [String: JSONValue] = [
      "id": .string(id), "at": .string(at.text), "code": .string(conflict.code.rawValue),
      "provider": .string(conflict.provider.rawValue),
      "operation": .string(conflict.operation.rawValue),
      "judgements": .array(
        judgements.map { judgement in
          var entry: [String: JSONValue] = [
            "policy": .string(judgement.policy), "answer": judgement.ruling.json,
          ]
          entry["version"] = judgement.version?.wireJSON(role: judgement.role)
          return .object(entry)
        }),
    ]
    decision.put("answer", ruling?.kind)
    if withConflict { decision["conflict"] = try JSONValue(text: conflict.json) }
    return .object(decision)
  }
}
