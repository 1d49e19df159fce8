import AuthCore
import LuaPlugins
import LuaRuntime

/// The `hooks` library: selects the script that decides on sign-ins and on changes of who owns what.
struct HooksLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var hooks = LuaLibrary(name: "hooks")
    hooks.function("use", use)
    hooks.function("test", test)
    hooks.function("current") { _ in
      let functions = try session.wait { try await $0.settings(of: $1) }.signIn.blockingFunctions
      guard let source = functions.script else { return [.nil] }
      return [["file": .string(source.name), "text": .string(source.text)]]
    }
    hooks.function("remove") { call in
      try put(nil, try WriteOptions(call, 1))
    }
    try state.set("hooks", to: state.library(hooks))
  }

  /// Installs a file, unless one of its own examples fails.
  private func use(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesWithForce)
    let results = try LuaChangeHook.runExamples(of: source)
    if !options.force { try PolicyExampleResult.requireAll(results, of: source) }
    return try put(source, options)
  }

  private func test(_ call: LuaCall) throws -> [LuaValue] {
    let results = try LuaChangeHook.runExamples(of: try source(call)).map { result -> LuaValue in
      [
        "name": .string(result.name), "passed": .bool(result.passed),
        "answer": .optional(result.answer), "failure": .optional(result.failure),
        "log": result.log.isEmpty ? .nil : .strings(result.log),
      ]
    }
    return [.table(LuaTable(array: results))]
  }

  private func source(_ call: LuaCall) throws -> PolicySource {
    try PolicySource(file: try call.string(1, "file"), kind: "hooks", of: session.host)
  }

  private func put(_ source: PolicySource?, _ options: WriteOptions) throws -> [LuaValue] {
    let receipt = try session.change(options) { graph, caller in
      try await graph.changeSettings(by: caller) { $0.signIn.blockingFunctions.script = source }
    }
    return receipt.ifRehearsed
  }
}
