import AuthCore
import LuaRuntime

/// One file of hooks in its own Lua state; confined to its holder.
///
/// Each event runs the whole file again, so that no data of one person reaches the next.
final class HookScript {
  private let state: LuaState
  private let name: String
  private let chunk: LuaFunction
  private let moment: ScriptMoment
  private let declared = Declared()

  /// The table that the running file has declared.
  private final class Declared {
    var table: LuaReference?
  }

  /// The names of the functions in a file.
  static let names: [(kind: SignInHookEvent.Kind, name: String)] = [
    (.beforeCreate, "before_create"), (.beforeSignIn, "before_sign_in"),
  ]

  /// Compiles a file and reads its declaration; throws `invalid-policy` with the line.
  ///
  /// `now` is the time that the file sees meanwhile.
  init(_ source: PolicySource, at now: Timestamp) throws(AuthError) {
    name = source.name
    do {
      let moment = ScriptMoment(of: .hook, source.name)
      self.moment = moment
      state = try LuaState(profile: .policy, configuration: moment.configuration())
      let environment = state.makeEnvironment(sealed: true)
      let declared = declared
      try state.set(
        "hooks",
        to: .function(
          state.function(named: "hooks") { call in
            let table = try call.table(1, "declaration")
            try PolicyLibrary.refuseUnknown(
              Array(table.fields.keys), among: Self.names.map(\.name), of: "hooks", call)
            if let name = table.fields.keys.sorted().first(where: {
              table[$0].functionValue == nil
            }) {
              throw call.argumentError(1, "\(name) must be a function of an event")
            }
            let reference = try call.reference(1, "declaration")
            declared.table = reference
            return [.reference(reference)]
          }), in: environment)
      try state.set(
        "refuse",
        to: .function(
          state.function(named: "refuse") { call in
            [
              [
                "answer": "refuse", "reason": .string(try call.string(1, "reason")),
                "line": .optional(call.line.map(Int64.init)),
              ]
            ]
          }), in: environment)
      chunk = try state.load(source.text, name: source.name, environment: environment)
      moment.begin(at: now, seed: 0, in: state)
      _ = try run()
    } catch let error as LuaError {
      throw .failedHook(source.name, error, code: .invalidPolicy)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .invalidPolicy, "The hooks \(source.name) cannot be read.",
        remedy: "Correct the hooks, and use them again.", cause: error)
    }
  }

  /// Runs the file, and returns the table that it declares this time.
  private func run() throws -> LuaReference {
    defer { declared.table = nil }
    try state.call(chunk, results: .references)
    guard let table = declared.table else {
      throw AuthError(
        .invalidPolicy, "\(name) declares no hooks.",
        remedy: "End the file with return hooks { before_sign_in = function(event) … end }.")
    }
    return table
  }

  /// Returns the lines that the last event logged, and removes them.
  func takeLog() -> [ScriptLogRecord] { moment.takeLines() }

  /// True after a limit was exceeded in a way that may have damaged the state.
  var isTainted: Bool { state.isTainted }

  /// Answers an event at a time; nil if the file has no function for it, or the function returns nothing.
  func answer(
    _ event: SignInHookEvent, at now: Timestamp
  ) throws(AuthError) -> SignInHookAnswer? {
    moment.begin(at: now, seed: event.seed(at: now), in: state)
    do {
      guard let name = Self.names.first(where: { $0.kind == event.kind })?.name,
        let function = state.field(name, of: try run()).functionValue
      else { return nil }
      let results = try state.call(
        function, fields: 8, knowing: SignInHookEvent.luaFields
      ) { event.write(to: $0) }
      for result in results {
        if let refusal = try MergeRefusal(within: result, of: self.name) {
          throw AuthError.refusedByHook(refusal)
        }
      }
      guard let value = results.first, !value.isNil else { return nil }
      guard let table = value.tableValue else {
        throw HookMistake(
          description: "the hook returned \(value.typeName), not a table of changes")
      }
      return try SignInHookAnswer(table, event.kind)
    } catch let error as LuaError {
      throw .failedHook(name, error, code: .blockingFunctionError)
    } catch let error as HookMistake {
      throw .wrongAnswer("\(name): \(error.description).")
    } catch let error as AuthError where error.code == .invalidPolicy {
      throw .wrongAnswer(error.message)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .blockingFunctionError, "A hook of the app failed.", remedy: "Read the server's log.",
        step: .policy, cause: AuthError(.internalError, "\(name): \(error)", cause: error))
    }
  }
}

extension SignInHookEvent {
  /// The seed of `math.random`: a repeated event is answered in the same way.
  fileprivate func seed(at now: Timestamp) -> UInt64 {
    RandomSeed(kind.rawValue, account.id.rawValue, String(now.milliseconds)).value
  }
}

/// An error for an invalid answer of a hook.
struct HookMistake: Error {
  let description: String
}

extension AuthError {
  /// A refusal in the hook's own words, as clients of Firebase's functions expect it.
  fileprivate static func refusedByHook(_ refusal: MergeRefusal) -> AuthError {
    let body: JSONValue = [
      "error": ["message": .string(refusal.reason), "status": "PERMISSION_DENIED"]
    ]
    return AuthError(
      .blockingFunctionError, body.text, remedy: refusal.place.map { "It was refused at \($0)." },
      step: .policy)
  }

  /// The error of a failed hook for clients, with a cause for admins only.
  fileprivate static func wrongAnswer(_ message: String) -> AuthError {
    AuthError(
      .blockingFunctionError, "A hook of the app failed.", remedy: "Read the server's log.",
      step: .policy, cause: AuthError(.invalidPolicy, message, step: .policy))
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
        code, "A hook of the app failed.", remedy: "Read the server's log.", step: .policy,
        cause: AuthError(.invalidPolicy, "\(place): \(error.message)", step: .policy, cause: error))
  }
}
