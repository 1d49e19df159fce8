import AuthCore
import LuaPlugins
import LuaRuntime

/// The `hooks` library: selects the script that is called before sign-ins.
struct HooksLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var hooks = LuaLibrary(name: "hooks")
    hooks.function("use", use)
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

  /// Installs a file, if it compiles and declares hooks.
  private func use(_ call: LuaCall) throws -> [LuaValue] {
    let source = try PolicySource(
      file: try call.string(1, "file"), kind: "hooks", of: session.host)
    try LuaSignInHooks.check(source)
    return try put(source, try WriteOptions(call, 2))
  }

  private func put(_ source: PolicySource?, _ options: WriteOptions) throws -> [LuaValue] {
    let receipt = try session.change(options) { graph, caller in
      try await graph.changeSettings(by: caller) { $0.signIn.blockingFunctions.script = source }
    }
    return receipt.ifRehearsed
  }
}
