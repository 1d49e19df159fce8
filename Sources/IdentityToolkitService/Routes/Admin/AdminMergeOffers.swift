import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let offers = "/projects/{project}/mergeOffers"

  private static let offerErrors: [Int: String] = [
    404: "No event with this ID offers a merge, or one of its accounts is gone.",
    409: "The accounts cannot be merged, or the policy refuses now.",
  ]

  static let mergeOffers: [AdminOperation] = [
    AdminOperation(
      method: .get, path: offers, id: "listMergeOffers",
      summary: "The merges that wait for an admin, newest first.",
      needs: .audit,
      query: [
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ],
      answer: Schema.object([
        "nextPageToken?": Schema.text, "truncated?": Schema.flag,
        "offers": Schema.list(
          Schema.object([
            "id": Schema.text, "at": Schema.text, "policy": Schema.text, "keep": Schema.text,
            "absorb": Schema.text, "code": Schema.text, "provider": Schema.text,
            "notShown": Schema.list(Schema.text), "reason?": Schema.text,
          ])),
      ])
    ) { try await $0.listMergeOffers() },
    AdminOperation(
      method: .post, path: "\(offers)/{id}:plan", id: "planMergeOffer",
      summary: "Plans the merge of an offer with the current policy, and writes nothing.",
      needs: .merge,
      answer: OpenAPI.reference("Plan"), errors: offerErrors
    ) { handler in
      .json(try await handler.graph.plan(handler.path["id"] ?? "", in: handler.scope).adminJSON)
    },
    AdminOperation(
      method: .post, path: "\(offers)/{id}:merge", id: "acceptMergeOffer",
      summary: "Commits the merge of an offer, as the policy decides now.", needs: .merge,
      body: writing, answer: OpenAPI.reference("Receipt"), errors: offerErrors
    ) { handler in
      let plan = try await handler.graph.plan(handler.path["id"] ?? "", in: handler.scope)
      return .json(try await handler.graph.commit(plan, by: try handler.administrator()).adminJSON)
    },
  ]
}

extension AdminHandler {
  /// Lists the merge offers among recent events.
  ///
  /// `truncated` means that older events were not searched.
  fileprivate func listMergeOffers() async throws -> Answer {
    let before = try PageToken(query.filled("pageToken")).last
    let page = try await graph.mergeOffers(
      before: before.flatMap { Int64($0) }, limit: try pageLimit(), in: scope)
    var body: [String: JSONValue] = ["offers": .array(page.offers.map(\.adminJSON))]
    body.put("nextPageToken", page.next.map { PageToken(last: "\($0)").text })
    if page.isCut { body["truncated"] = true }
    return .json(.object(body))
  }
}

extension MergeOffer {
  fileprivate var adminJSON: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "at": .string(at.text), "policy": .string(policy),
      "keep": .string(survivor.rawValue), "absorb": .string(absorbed.rawValue),
      "code": .string(code.rawValue), "provider": .string(provider.rawValue),
      "notShown": .array(notShown.map(JSONValue.string)),
    ]
    members["reason"] = reason.map(JSONValue.string)
    return .object(members)
  }
}
