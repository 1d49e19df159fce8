import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let one = "/projects/{project}/accounts/{uid}"

  static let waysIn: [AdminOperation] = [
    AdminOperation(
      method: .get, path: "\(one)/waysIn", id: "listWaysIn",
      summary: "The ways into an account; an absorbed uid leads to the survivor.",
      needs: .readAccounts,
      answer: Schema.object(["waysIn": Schema.list(OpenAPI.reference("WayIn"))]),
      errors: [404: "There is no such account."]
    ) { try await $0.listWaysIn() },
    AdminOperation(
      method: .post, path: "\(one):endWaysIn", id: "endWaysIn",
      summary: "Ends ways into an account in one transaction.", needs: .writeAccounts,
      body: [
        Schema.Member(
          "waysIn", Schema.list(Schema.text, most: RouteBounds.waysIn),
          "Their IDs, or kinds or providers that only one has.", required: true),
        Schema.Member("force", Schema.flag, "Remove even the last way to sign in."),
      ] + writing, answer: OpenAPI.reference("Receipt"),
      errors: [
        404: "There is no such account.", 409: "Several ways in have the name.",
      ]
    ) { try await $0.endWaysIn() },
  ]
}

extension AdminHandler {
  fileprivate func listWaysIn() async throws -> Answer {
    let ways = try await graph.waysIn(of: AccountID(path["uid"] ?? ""), in: scope)
    return .json(["waysIn": ways.json(for: .owner)])
  }

  fileprivate func endWaysIn() async throws -> Answer {
    let result = try await graph.endWaysIn(
      try body.texts("waysIn") ?? [], of: AccountID(path["uid"] ?? ""),
      force: try body.bool("force") ?? false, by: try administrator())
    return .json(result.receipt.adminJSON)
  }
}
