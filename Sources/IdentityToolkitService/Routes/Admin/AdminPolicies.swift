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
      method: .get, path: one, id: "getPolicy", summary: "The merge policy that is in use.",
      needs: .config, answer: OpenAPI.reference("Policy"), errors: none
    ) { try await $0.showPolicy() },
    AdminOperation(
      method: .put, path: one, id: "usePolicy",
      summary: "Installs a merge policy, if all its examples pass.",
      needs: .config,
      body: script + [
        Schema.Member("force", Schema.flag, "Install the policy even if examples fail.")
      ] + writing, answer: OpenAPI.reference("Receipt")
    ) { try await $0.usePolicy() },
    AdminOperation(
      method: .delete, path: one, id: "removePolicy",
      summary: "Removes the merge policy, so that conflicts are errors again.",
      needs: .config, answer: OpenAPI.reference("Receipt")
    ) { handler in
      let receipt = try await handler.graph.changeSettings(by: handler.administrator()) {
        $0.mergePolicy = nil
      }
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
    guard let source = try await settings().mergePolicy else { throw WireError.notFound }
    let policy = try graph.compile(source)
    return .json([
      "name": .string(policy.name), "file": .string(source.name), "text": .string(source.text),
      "on": .array(policy.triggers.map(\.rawValue).sorted().map(JSONValue.string)),
      "unproven": .bool(policy.answersUnproven),
    ])
  }

  fileprivate func usePolicy() async throws -> Answer {
    let source = try policySource()
    let failed = try LuaMergePolicy.runExamples(of: source).filter { !$0.passed }
    if let first = failed.first, try body.bool("force") != true {
      throw AuthError(
        .invalidPolicy,
        "\(failed.count) of the examples of \(source.name) do not pass; the first, "
          + "\"\(first.name)\": \(first.failure ?? "")",
        field: "text", remedy: "Look at policy:test, and correct the policy or its examples.")
    }
    let receipt = try await graph.changeSettings(by: try administrator()) {
      $0.mergePolicy = source
    }
    return .json(receipt.adminJSON)
  }

  fileprivate func testPolicy() async throws -> Answer {
    let results = try LuaMergePolicy.runExamples(of: try policySource())
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
