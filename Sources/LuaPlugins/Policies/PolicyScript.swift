import AuthCore
import LuaRuntime

/// One policy file in a Lua state of its own; confined to whoever holds it.
final class PolicyScript {
  let declaration: PolicyDeclaration
  private let state: LuaState
  private let source: PolicySource

  /// Compiles a file and reads its declaration; throws `invalid-policy` with the line.
  init(_ source: PolicySource, hasTimeLimit: Bool = true) throws(AuthError) {
    self.source = source
    do {
      var limits = LuaLimits.policy
      if !hasTimeLimit { limits.cpuTime = nil }
      state = try LuaState(profile: .policy, configuration: .init(limits: limits))
      let environment = state.makeEnvironment(sealed: true)
      var declared: PolicyDeclaration?
      try PolicyVocabulary(state: state, environment: environment) { declared = $0 }.install()
      let chunk = try state.load(source.text, name: source.name, environment: environment)
      let results = try state.call(chunk, results: .references)
      guard let declaration = declared, results.first?.referenceValue?.typeName == "table" else {
        throw AuthError.noPolicy(source.name)
      }
      self.declaration = declaration
    } catch let error as LuaError {
      throw .invalidPolicy(source.name, error)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(.invalidPolicy, "The policy \(source.name) cannot be read.", cause: error)
    }
  }

  private var wasStopped = false

  /// Whether a limit was met: what the file keeps for itself may be half made, and the state is in doubt.
  var isTainted: Bool { wasStopped || state.isTainted }

  func decide(_ conflict: MergeConflict) throws(AuthError) -> MergeAnswer {
    try naming {
      let value = try ask(conflict, nil)
      guard let answer = try PolicyAnswer(value, in: state) else {
        throw AuthError(
          .invalidPolicy, "decide of \(source.name) returned \(value.typeName).",
          remedy: "Return merge { into = …, from = … } or refuse \"why\".", step: .policy)
      }
      return try self.answer(answer, conflict)
    }
  }

  /// Answers within limits; nil where they are not enough, or the answer is one that takes more of the file, or much
  /// reading.
  func decide(
    _ conflict: MergeConflict, within limits: LuaLimits
  ) throws(AuthError) -> MergeAnswer? {
    try naming {
      do {
        guard let table = try ask(conflict, limits).referenceValue,
          let answer = PolicyAnswer(plain: table, in: state)
        else { return nil }
        return try self.answer(answer, conflict)
      } catch let error as LuaError where error.isAbort {
        wasStopped = true
        return nil
      }
    }
  }

  private func ask(_ conflict: MergeConflict, _ limits: LuaLimits?) throws -> LuaValue {
    try state.call(
      declaration.decide, fields: 5, limits: limits, results: .references
    ) { conflict.write(to: $0) }.first ?? .nil
  }

  /// Runs some of the file, and has its failures name it.
  private func naming<Value>(_ work: () throws -> Value) throws(AuthError) -> Value {
    do {
      return try work()
    } catch let error as LuaError {
      if error.isAbort { wasStopped = true }
      throw .invalidPolicy(source.name, error)
    } catch let error as AuthError where error.code == .invalidPolicy {
      throw error
    } catch let error as AuthError {
      throw AuthError(
        .invalidPolicy, "\(source.name): \(error.message)", field: error.field,
        remedy: error.remedy, step: .policy, cause: error)
    } catch {
      throw AuthError(.invalidPolicy, "The policy \(source.name) failed.", cause: error)
    }
  }

  private func answer(_ answer: PolicyAnswer, _ conflict: MergeConflict) throws -> MergeAnswer {
    switch answer {
    case .refuse(let reason): return .refuse(reason)
    case .merge(let into, let from, let fields, let dropped):
      let (into, from) = (AccountID(into), AccountID(from))
      var rules = MergeRules(fields: fields.rules)
      // An answer about other accounts is refused as a whole.
      if !fields.functions.isEmpty || dropped != nil, let kept = conflict.account(into),
        let other = conflict.account(from)
      {
        if !fields.functions.isEmpty {
          let (keptTable, otherTable) = (kept.lua, other.lua)
          for (field, function) in fields.functions {
            rules.fields[field] = .value(try compute(function, field, keptTable, otherTable))
          }
        }
        rules.droppedIdentities =
          try dropped?.array.map { try IdentityKey(entry: $0, of: [kept, other]) } ?? []
      }
      return .merge(into: into, from: from, rules)
    }
  }

  private func compute(
    _ function: LuaFunction, _ field: MergeField, _ kept: LuaTable, _ other: LuaTable
  ) throws -> JSONValue {
    let results = try state.call(
      function, [kept[field.rawValue], other[field.rawValue], .table(kept), .table(other)])
    guard let value = JSONValue(results.first ?? .nil) else {
      throw AuthError(
        .invalidPolicy, "The function for \(field.rawValue) returned no plain value.",
        field: field.rawValue, remedy: "Return a text, a number, a boolean, a table or nil.",
        step: .policy)
    }
    return value
  }
}

extension MergeConflict {
  fileprivate func account(_ id: AccountID) -> Account? {
    current.id == id ? current : existing.id == id ? existing : nil
  }

  /// What `decide` is given.
  fileprivate func write(to table: LuaTableWriter) {
    table.set("code", code.rawValue)
    table.set("provider", provider.rawValue)
    table.set("current", record: AccountRecord(current))
    table.set("existing", record: AccountRecord(existing))
    table.set("proof", fields: 3) { table in
      table.set("current", proof.current)
      table.set("existing", proof.existing)
      table.set("both", proof.both)
    }
  }
}

extension AuthError {
  fileprivate static func noPolicy(_ name: String) -> AuthError {
    AuthError(
      .invalidPolicy, "\(name) declares no policy.",
      remedy: "End the file with return policy { name = …, on = …, decide = … }.", step: .policy)
  }

  /// A Lua error of a policy, with file and line; an error of the core that a script ran into stays itself.
  fileprivate static func invalidPolicy(_ name: String, _ error: LuaError) -> AuthError {
    let place = error.line.map { "\(name):\($0)" } ?? name
    let cause = error.cause as? AuthError
    var message = cause?.message ?? error.message
    if !message.hasSuffix(".") { message += "." }
    return AuthError(
      .invalidPolicy, "\(place): \(message)", field: cause?.field,
      remedy: cause?.remedy
        ?? "Correct the policy, try it with policy.test(file), and use it again.",
      step: .policy, cause: error)
  }
}
