import AuthCore
import LuaRuntime

/// The function `secret()`, which asks for a secret so that it is in no input.
struct SecretLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let ask = state.function(named: "secret") { call in
      guard call.count == 0 else {
        throw AuthError(
          .invalidArgument, "secret() takes no argument, so that no secret is part of an input.",
          remedy: "Write secret(), and type the secret when it asks.")
      }
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
