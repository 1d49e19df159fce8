import AuthCore
import LuaRuntime

/// The function `secret()`, which asks for a secret so that it is in no input.
struct SecretLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let ask = state.function(named: "secret") { _ in
      let secret = try session.host.secret("Secret: ", unless: session.isInterrupted)
      return [ConsoleSecret.given(secret).lua]
    }
    try state.set("secret", to: .function(ask))
  }
}
