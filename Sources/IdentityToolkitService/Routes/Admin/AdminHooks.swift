import AuthCore
import IdentityToolkit
import LuaPlugins
import SessionTokens

extension AdminOperation {
  private static let place = "/projects/{project}/hooks"

  private static let noHooks: [Int: String] = [404: "No script of hooks is in use."]

  static let hooks: [AdminOperation] = [
    AdminOperation(
      method: .get, path: place, id: "getHooks",
      summary: "The script that is asked before sign-ins and changes of who owns what.",
      needs: .config,
      answer: OpenAPI.reference("Hooks"), errors: noHooks
    ) { handler in
      guard let script = try await handler.settings().signIn.blockingFunctions.script else {
        throw WireError.notFound
      }
      return .json(["file": .string(script.name), "text": .string(script.text)])
    },
    AdminOperation(
      method: .put, path: place, id: "useHooks",
      summary: "Asks a script from now on, if it compiles and its examples pass.", needs: .config,
      body: [
        Schema.Member(
          "name", Schema.text, "The name in messages, such as its file.", required: true),
        Schema.Member("text", Schema.text, "The Lua script.", required: true),
      ] + writing, answer: OpenAPI.reference("Receipt")
    ) { handler in
      let script = try handler.policySource()
      try PolicyExampleResult.requireAll(try LuaChangeHook.runExamples(of: script), of: script)
      return try await handler.put(script)
    },
    AdminOperation(
      method: .delete, path: place, id: "removeHooks", summary: "Removes the script.",
      needs: .config, answer: OpenAPI.reference("Receipt")
    ) { try await $0.put(nil) },
  ]
}

extension AdminHandler {
  fileprivate func put(_ script: PolicySource?) async throws -> Answer {
    let receipt = try await graph.changeSettings(by: administrator()) {
      $0.signIn.blockingFunctions.script = script
    }
    return .json(receipt.adminJSON)
  }
}
