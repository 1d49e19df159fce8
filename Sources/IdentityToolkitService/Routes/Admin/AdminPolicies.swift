import AuthCore
import IdentityToolkit
import SessionTokens
import LuaPlugins

extension AdminOperation {
  private static let one = "/projects/{project}/policy"

  private static let script = [
    Schema.Member(
      "name", Schema.text, "The script's name in messages, such as its file name.", required: true),
    Schema.Member("text", Schema.text, "The Lua script.", required: true),
  ]

  private static let none: [Int: String] = [404: "No policy is in use."]

  static let policies: [AdminOperation] = [
    AdminOperation(
      method: .get, path: one, id: "getPolicy",
      summary: "The merge policy that is in use, and the one on trial.",
      needs: .config, answer: OpenAPI.reference("Policy"), errors: none
    ) { try await $0.showPolicy() },
    AdminOperation(
      method: .put, path: one, id: "usePolicy",
      summary: "Installs a merge policy as a version, if its checks allow it.",
      needs: .config,
      body: script + [
        Schema.Member(
          "force", Schema.flag, "Install the policy even if a check refuses it; needs a reason."),
        Schema.Member(
          "level", Schema.choice(PolicyLevel.allCases.map(\.rawValue)),
          "shadow records its answers, advise makes its merges offers, decide is the default."),
        Schema.Member(
          "canary", ["type": "number"], "The share of pairs that it decides, between 0 and 1."),
      ] + writing, answer: OpenAPI.reference("Receipt")
    ) { try await $0.usePolicy() },
    AdminOperation(
      method: .delete, path: one, id: "removePolicy",
      summary: "Removes the merge policy, so that conflicts are errors again.",
      needs: .config, answer: OpenAPI.reference("Receipt")
    ) { handler in
      let receipt = try await handler.graph.removePolicy(by: handler.administrator())
      return .json(receipt.adminJSON)
    },
    AdminOperation(
      method: .post, path: "\(one):test", id: "testPolicy",
      summary: "Runs the examples of a merge policy, and writes nothing.", needs: .config,
      body: script,
      answer: Schema.object(["examples": Schema.list(OpenAPI.reference("PolicyExample"))])
    ) { try await $0.testPolicy() },
  ]
}

extension AdminHandler {
  fileprivate func showPolicy() async throws -> Answer {
    guard let policy = try await shownPolicy() else { throw WireError.notFound }
    return .json(policy)
  }

  fileprivate func usePolicy() async throws -> Answer {
    let (source, caller) = (try policySource(), try administrator())
    let findings = try await PolicyChecks.findingsApart(in: source)
    let isForced = try body.bool("force") == true
    if var refusal = findings.refusal(force: isForced, reason: caller.reason) {
      refusal.field = refusal.field ?? "text"
      throw refusal
    }
    let receipt = try await graph.usePolicy(
      source, as: try policyUse(), evidence: findings.evidence, by: caller
    ).receipt
    return .json(receipt.adminJSON)
  }

  fileprivate func testPolicy() async throws -> Answer {
    let results = try await PolicyChecks.examplesApart(of: try policySource())
    return .json([
      "examples": .array(
        results.map { result in
          var entry: [String: JSONValue] = [
            "name": .string(result.name), "passed": .bool(result.passed),
          ]
          entry.put("failure", result.failure)
          if !result.log.isEmpty { entry["log"] = .array(result.log.map(JSONValue.string)) }
          return .object(entry)
        })
    ])
  }
}
