import AuthCore
import LuaPlugins
import LuaRuntime

/// The `input` library: reads the text that is piped into a script.
struct InputLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var input = LuaLibrary(name: "input")
    input.function("lines") { call in
      guard let lines = session.input else {
        throw AuthError(
          .operationNotAllowed, "Standard input is the code itself.",
          remedy: "Put the code into a file and run it: authgraph run FILE < DATA.")
      }
      let next = call.state.function(named: "next") { _ in
        guard let line = try lines.next(unless: session.isInterrupted) else {
          throw CancellationError()
        }
        return [.optional(line)]
      }
      return [.function(next)]
    }
    try state.set("input", to: state.library(input))
  }
}
