import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let offers = "/projects/{project}/mergeOffers"

  private static let offerErrors: [Int: String] = [
    404: "No event of this ID offers a merge, or one of its accounts is gone.",
    409: "The accounts cannot be merged, or the policy refuses now.",
  ]

  static let mergeOffers: [AdminOperation] = [
    AdminOperation(
      method: .get, path: offers, id: "listMergeOffers",
      summary: "The merges that a policy would make if both accounts had been shown, newest first.",
      needs: .audit,
      query: [Schema.Member("limit", Schema.number, "How many; 100 if not given.")],
      answer: Schema.object([
        "offers": Schema.list(
          Schema.object([
            "id": Schema.text, "at": Schema.text, "policy": Schema.text, "keep": Schema.text,
            "absorb": Schema.text, "code": Schema.text, "provider": Schema.text,
            "notShown": Schema.list(Schema.text),
          ]))
      ])
    ) { call in
      let offers = try await call.graph.mergeOffers(limit: call.pageLimit(), in: call.scope)
      return .json(["offers": .array(offers.map(\.adminJSON))])
    },
    AdminOperation(
      method: .post, path: "\(offers)/{id}:plan", id: "planMergeOffer",
      summary: "Asks the policy about an offer again. Nothing is written.", needs: .merge,
      answer: OpenAPI.reference("Plan"), errors: offerErrors
    ) { call in
      .json(try await call.graph.plan(call.path["id"] ?? "", in: call.scope).adminJSON)
    },
    AdminOperation(
      method: .post, path: "\(offers)/{id}:merge", id: "acceptMergeOffer",
      summary: "Makes the merge of an offer, as the policy would make it now.", needs: .merge,
      body: writing, answer: OpenAPI.reference("Receipt"), errors: offerErrors
    ) { call in
      let plan = try await call.graph.plan(call.path["id"] ?? "", in: call.scope)
      return .json(try await call.graph.commit(plan, by: try call.administrator()).adminJSON)
    },
  ]
}

extension MergeOffer {
  fileprivate var adminJSON: JSONValue {
    [
      "id": .string(id), "at": .string(at.text), "policy": .string(policy),
      "keep": .string(survivor.rawValue), "absorb": .string(absorbed.rawValue),
      "code": .string(code.rawValue), "provider": .string(provider.rawValue),
      "notShown": .array(notShown.map(JSONValue.string)),
    ]
  }
}
