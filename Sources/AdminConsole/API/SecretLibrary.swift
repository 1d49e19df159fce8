import AuthCore
import LuaRuntime

/// The function `secret()`, which asks for a secret so that it is in no input.
struct SecretLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let ask = state.function(named: "secret") { call in
      let prompt = SecretPrompt(isInterrupted: session.isInterrupted)
      do {
        return [ConsoleSecret.given(try prompt.ask("Secret: ")).lua]
      } catch let error as CancellationError {
        // The budget registers Ctrl-C, and ends the script.
        try call.charge(1)
        throw error
      }
    }
    try state.set("secret", to: .function(ask))
  }
}
