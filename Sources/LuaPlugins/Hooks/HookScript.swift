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
  private let declared: Declared

  /// The declaration of the first run; later ones are not read in full.
  let declaration: HookDeclaration

  /// The table that the running file has declared.
  private final class Declared {
    var table: LuaReference?
    var declaration: HookDeclaration?
  }

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
      let declared = Declared()
      self.declared = declared
      try HookLibrary(state: state, environment: environment) { table, call in
        if declared.declaration == nil { declared.declaration = try HookDeclaration(call) }
        declared.table = table
      }.install()
      chunk = try state.load(source.text, name: source.name, environment: environment)
      moment.begin(at: now, seed: 0, in: state)
      try state.call(chunk, results: .references)
      guard let declaration = declared.declaration else { throw AuthError.noHooks(source.name) }
      declared.table = nil
      self.declaration = declaration
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
  private func run(within limits: LuaLimits? = nil) throws -> LuaReference {
    defer { declared.table = nil }
    try state.call(chunk, limits: limits, results: .references)
    guard let table = declared.table else { throw AuthError.noHooks(name) }
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
    switch try reply(to: event, at: now) {
    case .allow: return nil
    case .change(let answer): return answer
    case .refuse(let refusal): throw .refusedByHook(refusal)
    }
  }

  /// Replies to an event at a time; a file without a function for it allows.
  func reply(
    to event: SignInHookEvent, at now: Timestamp
  ) throws(AuthError) -> SignInReply {
    moment.begin(at: now, seed: event.seed(at: now), in: state)
    do {
      guard let name = HookDeclaration.signInNames.first(where: { $0.kind == event.kind })?.name
      else { return .allow }
      let value = state.field(name, of: try run())
      guard let function = value.functionValue else {
        guard value.isNil else { throw HookMistake(description: "\(name) is not a function") }
        return .allow
      }
      let results = try state.call(
        function, fields: 8, knowing: SignInHookEvent.luaFields
      ) { event.write(to: $0) }
      for result in results {
        if let refusal = try MergeRefusal(within: result, of: self.name) {
          return .refuse(refusal)
        }
      }
      guard let value = results.first, !value.isNil else { return .allow }
      guard let table = value.tableValue else {
        throw HookMistake(
          description: "the hook returned \(value.typeName), not a table of changes")
      }
      if table["answer"].stringValue == "allow", table["fill"].isNil { return .allow }
      return .change(try SignInHookAnswer(table, event.kind))
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

/// Answers about changes of who owns what.
extension HookScript {
  /// Answers an event within the usual limits; throws `invalid-policy` if the file fails.
  func answer(_ event: ChangeEvent) throws(AuthError) -> ChangeAnswer {
    try naming { try answer(event, nil) }
  }

  /// Answers an event within limits; nil if they are too small.
  func answer(
    _ event: ChangeEvent, within limits: LuaLimits
  ) throws(AuthError) -> ChangeAnswer? {
    try naming {
      do {
        return try answer(event, limits)
      } catch let error as LuaError where error.isAbort {
        return nil
      }
    }
  }

  private func answer(_ event: ChangeEvent, _ limits: LuaLimits?) throws -> ChangeAnswer {
    moment.begin(at: event.now, seed: event.seed, in: state)
    let table = try run(within: limits)
    guard let function = state.field(event.kind.function, of: table).functionValue else {
      throw HookMistake(description: "this run of the file declares no \(event.kind.function)")
    }
    var results = try state.call(
      function, fields: 12, knowing: ChangeEvent.luaFields, limits: limits
    ) { event.write(to: $0) }
    // `return allow` means `return allow()`.
    if let word = results.first?.functionValue {
      results.replaceSubrange(0..<1, with: try state.call(word, limits: limits))
    }
    return try ChangeAnswer(results, to: event.kind, of: name)
  }

  /// Runs a closure, and adds the file's name to its errors.
  private func naming<Value>(_ work: () throws -> Value) throws(AuthError) -> Value {
    do {
      return try work()
    } catch let error as LuaError {
      throw .failedHook(name, error, code: .invalidPolicy)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .invalidPolicy, "\(name): \((error as? HookMistake)?.description ?? "\(error)").",
        remedy: "Correct the hooks, and use them again.", step: .policy, cause: error)
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
  fileprivate static func noHooks(_ name: String) -> AuthError {
    AuthError(
      .invalidPolicy, "\(name) declares no hooks.",
      remedy: "End the file with return hooks { before_sign_in = function(event) … end }.")
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
