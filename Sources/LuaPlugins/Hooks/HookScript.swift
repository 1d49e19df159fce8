import AuthCore
import LuaRuntime

/// One file of hooks in a Lua state of its own; confined to whoever holds it.
final class HookScript {
  private let state: LuaState
  private let name: String
  private var functions: [SignInHookEvent.Kind: LuaFunction] = [:]

  /// The names of the functions in a file.
  static let names: [(kind: SignInHookEvent.Kind, name: String)] = [
    (.beforeCreate, "before_create"), (.beforeSignIn, "before_sign_in"),
  ]

  /// Compiles a file and reads its declaration; throws `invalid-policy` with the line.
  init(_ source: PolicySource) throws(AuthError) {
    name = source.name
    do {
      state = try LuaState(profile: .policy)
      let environment = state.makeEnvironment(sealed: true)
      var declared: LuaTable?
      try state.set(
        "hooks",
        to: .function(
          state.function(named: "hooks") { call in
            let table = try call.table(1, "declaration")
            try PolicyVocabulary.refuseUnknown(
              Array(table.fields.keys), among: Self.names.map(\.name), of: "hooks", call)
            declared = table
            return [.reference(try call.reference(1, "declaration"))]
          }), in: environment)
      try state.set(
        "refuse",
        to: .function(
          state.function(named: "refuse") { call in
            [["answer": "refuse", "reason": .string(try call.string(1, "reason"))]]
          }), in: environment)
      let chunk = try state.load(source.text, name: source.name, environment: environment)
      _ = try state.call(chunk, results: .references)
      guard let declared else {
        throw AuthError(
          .invalidPolicy, "\(source.name) declares no hooks.",
          remedy: "End the file with return hooks { before_sign_in = function(event) … end }.")
      }
      for (kind, name) in Self.names { functions[kind] = declared[name].functionValue }
    } catch let error as LuaError {
      throw .failedHook(source.name, error, code: .invalidPolicy)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(.invalidPolicy, "The hooks \(source.name) cannot be read.", cause: error)
    }
  }

  /// Whether a limit was met that leaves the state in doubt.
  var isTainted: Bool { state.isTainted }

  /// Answers an event; nil where the file has no function for it, or that says nothing.
  func answer(_ event: SignInHookEvent) throws(AuthError) -> SignInHookAnswer? {
    guard let function = functions[event.kind] else { return nil }
    do {
      let results = try state.call(function, [.table(event.lua)])
      guard let value = results.first, !value.isNil else { return nil }
      guard let table = value.tableValue else {
        throw AuthError(
          .blockingFunctionError, "The hook of \(name) returned \(value.typeName).",
          remedy: "Return nothing, a table of changes, or refuse \"why\".", step: .policy)
      }
      if table["answer"].stringValue == "refuse" {
        throw AuthError.refusedByHook(table["reason"].stringValue ?? "")
      }
      return try SignInHookAnswer(table, event.kind)
    } catch let error as LuaError {
      throw .failedHook(name, error, code: .blockingFunctionError)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .blockingFunctionError, "The hook of \(name) failed.", step: .policy, cause: error)
    }
  }
}

extension AuthError {
  /// A refusal in the words of the hook, as clients of Firebase's functions read it.
  fileprivate static func refusedByHook(_ reason: String) -> AuthError {
    let body: JSONValue = [
      "error": ["message": .string(reason), "status": "PERMISSION_DENIED"]
    ]
    return AuthError(.blockingFunctionError, body.text, step: .policy)
  }

  /// A Lua error of a hook, with file and line in its cause: clients learn nothing of the script.
  fileprivate static func failedHook(
    _ name: String, _ error: LuaError, code: Code
  ) -> AuthError {
    let place = error.line.map { "\(name):\($0)" } ?? name
    return code == .invalidPolicy
      ? AuthError(
        code, "\(place): \(error.message)", remedy: "Correct the hooks, and use them again.",
        step: .policy, cause: error)
      : AuthError(
        code, "A hook of the app failed.", remedy: "Look into the log.", step: .policy,
        cause: error)
  }
}
