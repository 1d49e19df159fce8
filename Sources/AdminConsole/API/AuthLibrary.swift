import AuthCore
import LuaRuntime

/// `auth`: entering as a client would, to see what happens.
struct AuthLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var auth = LuaNamespace(name: "auth")
    auth.function("signIn") { call in
      try enter(call) { graph, credential, caller in
        try await graph.signIn(credential, by: caller)
      }
    }
    auth.function("signUp") { call in
      try enter(call) { graph, credential, caller in
        try await graph.signUp(credential, by: caller)
      }
    }
    try state.set("auth", to: state.namespace(auth))
  }

  private func enter(
    _ call: LuaCall,
    _ body: @escaping @Sendable (AccountGraph, AuthCredential, Caller) async throws -> SignInResult
  ) throws -> [LuaValue] {
    let credential = try call.object(1, as: AuthCredential.self, type: "credential")
    let result = try session.change(WriteOptions(call, 2)) { graph, caller in
      try await body(graph, credential, caller)
    }
    return [
      [
        "account": session.object(result.account), "isNewUser": .bool(result.isNewUser),
        "receipt": .object(LuaObject(type: "receipt", value: result.receipt)),
        "trace": .object(LuaObject(type: "trace", value: TraceView(result.receipt))),
      ]
    ]
  }
}
