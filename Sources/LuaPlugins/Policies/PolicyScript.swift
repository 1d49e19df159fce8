import AuthCore
import LuaRuntime

/// One policy file in its own Lua state; confined to its holder.
///
/// Each decision runs the whole file again, in an environment that refuses every write, so that the next decision
/// sees no local, table or closure of this one.
final class PolicyScript {
  fileprivate static let remedy =
    "Correct the policy, try it with policy.test(file), and use it again."

  let declaration: PolicyDeclaration
  private let state: LuaState
  private let source: PolicySource
  private let parts: PolicyBundle
  private let current = CurrentConflict()
  private let chunk: LuaFunction
  private let moment: ScriptMoment
  private let declared: Declared
  private let tracing: ScriptTracing?

  /// The table that the running file has declared.
  private final class Declared {
    var table: LuaReference?
    /// The declaration of the first run; later ones are not read in full.
    var declaration: PolicyDeclaration?
  }

  /// Compiles a file and reads its declaration; throws `invalid-policy` with the line.
  ///
  /// `now` is the time that the file sees meanwhile. Only tools give a tracing.
  init(
    _ source: PolicySource, at now: Timestamp = .now(), hasTimeLimit: Bool = true,
    tracing: ScriptTracing? = nil
  ) throws(AuthError) {
    self.source = source
    let parts = PolicyBundle(source)
    self.parts = parts
    self.tracing = tracing
    do {
      var limits = tracing?.limits ?? LuaLimits.policy
      if !hasTimeLimit { limits.cpuTime = nil }
      let moment = ScriptMoment(of: .mergePolicy, source.name)
      state = try LuaState(profile: .policy, configuration: moment.configuration(limits: limits))
      let environment = state.makeEnvironment(sealed: true)
      let declared = Declared()
      try PolicyLibrary(
        state: state, environment: environment, file: source.name, parts: parts, current: current
      ) { table, call in
        if declared.declaration == nil {
          declared.declaration = try PolicyDeclaration(table, call)
        }
        declared.table = table
      }.install()
      try tracing?.prepare(state, environment)
      chunk = try state.load(parts.main.text, name: source.name, environment: environment)
      moment.begin(at: now, seed: 0, in: state)
      let results = try state.call(chunk, results: .references)
      guard let declaration = declared.declaration,
        results.first?.referenceValue?.typeName == "table"
      else { throw AuthError.noPolicy(source.name) }
      declared.table = nil
      moment.script = declaration.name
      self.declaration = declaration
      self.declared = declared
      self.moment = moment
    } catch let error as LuaError {
      throw .invalidPolicy(parts.includedName(error.script) ?? source.name, error)
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .invalidPolicy, "The policy \(source.name) cannot be read.", remedy: PolicyScript.remedy,
        cause: error)
    }
  }

  /// True after a limit was exceeded in a way that may have damaged the state.
  var isTainted: Bool { state.isTainted }

  /// Returns the lines that the last decision logged, and removes them.
  func takeLog() -> [ScriptLogRecord] { moment.takeLines() }

  func decide(_ conflict: MergeConflict) throws(AuthError) -> MergeAnswer {
    try naming {
      let values = try ask(conflict, nil)
      let value = values.first ?? .nil
      for more in values.dropFirst() {
        if let refusal = try MergeRefusal(in: more, state, of: source.name) {
          return .refuse(refusal)
        }
      }
      guard let answer = try PolicyAnswer(value, in: state, of: source.name) else {
        if value.isNil, let waived = current.waived { return waived }
        throw AuthError(
          .invalidPolicy, "decide of \(source.name) returned \(value.typeName).",
          remedy:
            "Return merge { into = …, from = … } or refuse \"why\", also if require or review has nothing to ask.",
          step: .policy)
      }
      return try self.answer(answer, conflict)
    }
  }

  /// Decides within limits.
  ///
  /// Returns nil if the limits are too small, or if the answer needs functions of the file or much copying.
  func decide(
    _ conflict: MergeConflict, within limits: LuaLimits
  ) throws(AuthError) -> MergeAnswer? {
    try naming {
      do {
        let values = try ask(conflict, limits)
        guard values.count == 1, let table = values.first?.referenceValue,
          let answer = PolicyAnswer(plain: table, in: state)
        else { return nil }
        return try self.answer(answer, conflict)
      } catch let error as LuaError where error.isAbort {
        return nil
      }
    }
  }

  private func ask(_ conflict: MergeConflict, _ limits: LuaLimits?) throws -> [LuaValue] {
    moment.begin(at: conflict.decidedAt, seed: conflict.seed, in: state)
    current.begin(conflict)
    return try state.call(
      try run(within: limits), fields: 11, knowing: MergeConflict.luaFields, limits: limits,
      results: .references
    ) { conflict.write(to: $0) }
  }

  /// Runs the file, and returns the `decide` that it declares this time.
  private func run(within limits: LuaLimits?) throws -> LuaFunction {
    defer { declared.table = nil }
    try state.call(chunk, limits: limits, results: .references)
    guard let table = declared.table, let decide = state.field("decide", of: table).functionValue
    else { throw AuthError.noPolicy(source.name) }
    tracing?.decides()
    return decide
  }

  /// Runs a closure, and adds the file's name to its errors.
  private func naming<Value>(_ work: () throws -> Value) throws(AuthError) -> Value {
    do {
      return try work()
    } catch let error as LuaError {
      throw .invalidPolicy(parts.includedName(error.script) ?? source.name, error)
    } catch let error as AuthError where error.code == .invalidPolicy {
      throw error
    } catch let error as AuthError {
      throw AuthError(
        .invalidPolicy, "\(source.name): \(error.message)", field: error.field,
        remedy: error.remedy, step: .policy, cause: error)
    } catch {
      throw AuthError(
        .invalidPolicy, "The policy \(source.name) failed.", remedy: PolicyScript.remedy,
        cause: error)
    }
  }

  private func answer(_ answer: PolicyAnswer, _ conflict: MergeConflict) throws -> MergeAnswer {
    switch answer {
    case .refuse(let reason, let code, let place):
      return .refuse(MergeRefusal(reason, code: code, place: place?.text(of: source.name)))
    case .require(let requirement): return .require(requirement)
    case .review(let reason): return .review(reason)
    case .merge(let merge):
      let (into, from) = (AccountID(merge.into), AccountID(merge.from))
      var rules = MergeRules(fields: merge.fields.rules)
      // An answer about other accounts is refused as a whole.
      if merge.looksAtAccounts, let kept = conflict.account(into),
        let other = conflict.account(from)
      {
        if let refusal = try compute(merge.fields, kept, other, into: &rules) {
          return .refuse(refusal)
        }
        rules.droppedIdentities =
          try merge.dropIdentities?.array.map { try IdentityKey(entry: $0, of: [kept, other]) }
          ?? []
        try merge.identities.apply(to: &rules, kept, other)
      }
      return .merge(into: into, from: from, rules)
    }
  }

  /// Calls the functions of a plan to compute their fields, in order of name; returns the refusal of one that
  /// refuses.
  private func compute(
    _ fields: PlanFields, _ kept: Account, _ other: Account, into rules: inout MergeRules
  ) throws -> MergeRefusal? {
    if rules.fields[.customClaims] == .unionOrRefuse, let a = kept.customClaims,
      let b = other.customClaims
    {
      let differing = a.differing(from: b)
      guard differing.isEmpty else { return .claimsDiffer(differing) }
    }
    do {
      if let claims = try fields.claims?.claims(
        kept, other,
        calling: { function, a, b in
          try value(
            of: function, for: .customClaims, [a.luaWithoutEmpty, b.luaWithoutEmpty], kept, other)
        })
      {
        rules.fields[.customClaims] = .value(claims)
      }
    } catch let refusal as MergeRefusal {
      return refusal
    }
    let functions = fields.functions
    guard !functions.isEmpty else { return nil }
    let (keptTable, otherTable) = (LuaTable(AccountRecord(kept)), LuaTable(AccountRecord(other)))
    do {
      for (field, function) in functions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        rules.fields[field] = .value(
          try value(
            of: function, for: field, [keptTable[field.rawValue], otherTable[field.rawValue]], kept,
            other))
      }
    } catch let refusal as MergeRefusal {
      return refusal
    }
    return nil
  }

  /// Calls a function of the file with two values and both accounts; throws the refusal that it returns.
  private func value(
    of function: LuaFunction, for field: MergeField, _ values: [LuaValue], _ kept: Account,
    _ other: Account
  ) throws -> JSONValue {
    let accounts = try [kept, other].map { account in
      LuaValue.reference(
        try state.reference(to: current.conflict?.record(of: account) ?? AccountRecord(account)))
    }
    let results = try state.call(function, values + accounts)
    for result in results {
      if let refusal = try MergeRefusal(within: result, of: source.name) { throw refusal }
    }
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
  /// The seed of `math.random`: the same conflict of the same two accounts is decided in the same way.
  fileprivate var seed: UInt64 {
    RandomSeed(code.rawValue, provider.rawValue, current.id.rawValue, existing.id.rawValue).value
  }

  fileprivate func account(_ id: AccountID) -> Account? {
    current.id == id ? current : existing.id == id ? existing : nil
  }
}

extension AuthError {
  fileprivate static func noPolicy(_ name: String) -> AuthError {
    AuthError(
      .invalidPolicy, "\(name) declares no policy.",
      remedy: "End the file with return policy { name = …, on = …, decide = … }.", step: .policy)
  }

  /// A Lua error of a policy, with file and line; an error of AuthCore that a script caused keeps its message.
  fileprivate static func invalidPolicy(_ name: String, _ error: LuaError) -> AuthError {
    let place = error.line.map { "\(name):\($0)" } ?? name
    let cause = error.cause as? AuthError
    var message = cause?.message ?? error.message
    if let last = message.last, !".?!".contains(last) { message += "." }
    return AuthError(
      .invalidPolicy, "\(place): \(message)", field: cause?.field,
      remedy: cause?.remedy ?? PolicyScript.remedy, step: .policy, cause: error)
  }
}
