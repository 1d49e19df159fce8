import CLuaShim

/// The form in which tables and functions are returned.
public enum LuaResults: Sendable {
  /// Copies tables into Swift values.
  case copies
  /// Leaves tables in Lua and hands out references.
  case references
}

extension LuaState {
  /// Compiles a text, by the rules of ``LuaSource``, without running any of it.
  ///
  /// Throws `syntax`; `isIncomplete` is set if the text only ends too early.
  public func load(
    _ source: String, name: String, environment: LuaReference? = nil
  ) throws(LuaError) -> LuaFunction {
    var source = try LuaSource.compilable(source, name: name)
    let L = current
    let top = lua_gettop(L)
    var run = begin(nil)
    defer {
      lua_settop(L, top)
      end(&run)
    }
    let status = source.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        ls_load(vm, L, $0.baseAddress, $0.count, "=" + name)
      }
    }
    guard status == LUA_OK else {
      var error = failure(status, L, script: name)
      error.explainStray(in: source)
      throw error
    }
    try push(.reference(environment ?? globals), L)
    lua_setupvalue(L, -2, 1)
    return LuaFunction(reference: takeReference(L))
  }

  /// Calls a function and blocks this thread until it returns.
  ///
  /// Host functions that wait raise an error here; use `run` for them. A call from inside a host function shares the
  /// budget of the outer call.
  @discardableResult
  public func call(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil,
    results: LuaResults = .copies
  ) throws(LuaError) -> [LuaValue] {
    try call(limits, count: arguments.count, results) { L throws(LuaError) in
      try pushCall(function, arguments, L)
    }
  }

  /// Calls a function with one table that is written directly in Lua; `fields` is its approximate size.
  ///
  /// With `names`, a policy that reads any other name fails.
  @discardableResult
  public func call(
    _ function: LuaFunction, fields: Int, knowing names: LuaFieldNames? = nil,
    limits: LuaLimits? = nil, results: LuaResults = .copies,
    writing fill: (LuaTableWriter) -> Void
  ) throws(LuaError) -> [LuaValue] {
    try call(limits, count: 1, results) { L throws(LuaError) in
      try pushCall(function, [], L)
      try pushWritten(fields: fields, knowing: names, L, fill)
    }
  }

  private func call(
    _ limits: LuaLimits?, count: Int, _ results: LuaResults,
    _ push: (OpaquePointer) throws(LuaError) -> Void
  ) throws(LuaError) -> [LuaValue] {
    let L = current
    let top = lua_gettop(L)
    var run = begin(limits)
    defer {
      lua_settop(L, top)
      end(&run)
    }
    try push(L)
    let status = ls_call(vm, L, Int32(count))
    guard status == LUA_OK else { throw failure(status, L, script: nil) }
    return try readResults(from: top + 1, L, results)
  }

  /// Calls a function whose host functions may wait.
  ///
  /// While they wait, the owner may use the state for other calls.
  @discardableResult
  public func run(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil,
    results: LuaResults = .copies
  ) async throws(LuaError) -> [LuaValue] {
    let coroutine = try start(function, arguments, limits: limits, results: results)
    var step = coroutine.step
    while true {
      switch step {
      case .finished(let values): return values
      case .awaiting(let request):
        let answer: Result<[LuaValue], any Error>
        do {
          guard let work = request as? LuaWork else {
            throw LuaArgumentError("this request has no answer here")
          }
          answer = .success(try await work.body())
        } catch {
          answer = .failure(error)
        }
        switch answer {
        case .success(let values): step = try coroutine.resume(values)
        case .failure(let error): step = try coroutine.resume(throwing: error)
        }
      }
    }
  }

  /// Starts a function as a coroutine that the owner resumes.
  public func start(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil,
    results: LuaResults = .copies
  ) throws(LuaError) -> LuaCoroutine {
    let coroutine = LuaCoroutine(state: self, limits: limits ?? self.limits, results: results)
    try coroutine.begin(function, arguments)
    return coroutine
  }

  func pushCall(
    _ function: LuaFunction, _ arguments: [LuaValue], _ L: OpaquePointer
  ) throws(LuaError) {
    guard lua_checkstack(L, Int32(arguments.count + 8)) != 0 else {
      throw LuaError(.argument, "too many arguments")
    }
    try push(.function(function), L)
    for argument in arguments { try push(argument, L) }
  }

  /// Reads the results of a call while its budget can still pay for them.
  func readResults(
    from first: Int32, _ L: OpaquePointer, _ results: LuaResults
  ) throws(LuaError) -> [LuaValue] {
    let last = lua_gettop(L)
    guard first <= last else { return [] }
    var values: [LuaValue] = []
    values.reserveCapacity(Int(last - first + 1))
    var reader = ValueReader(state: self, results: results, isPaid: true)
    for index in first...last { values.append(try reader.read(L, index)) }
    try reader.pay(above: ValueReader.mostUnpaid)
    return values
  }
}

/// The budget of a running call; nested calls share that of the outermost.
struct LuaRun {
  var budget: ls_budget
  var isOutermost: Bool
}

extension LuaState {
  func begin(_ limits: LuaLimits?) -> LuaRun {
    begin(with: depth == 0 ? (limits ?? self.limits).budget : ls_budget())
  }

  func begin(with budget: ls_budget) -> LuaRun {
    drain()
    var run = LuaRun(budget: budget, isOutermost: depth == 0)
    if run.isOutermost { ls_arm(vm, &run.budget) }
    depth += 1
    return run
  }

  func end(_ run: inout LuaRun) {
    depth -= 1
    guard run.isOutermost else { return }
    if ls_abort_reason(vm) == LS_MEMORY { isTainted = true }
    ls_disarm(vm, &run.budget)
    lastThrown = nil
  }
}

extension LuaLimits {
  var budget: ls_budget {
    ls_budget(
      instructions: instructions.map { Int64($0) } ?? .max,
      cpu_ns: cpuTime.map(\.nanoseconds) ?? .max,
      deadline_ns: deadline.map { ls_now_ns().addingReportingOverflow($0.nanoseconds) }
        .map { $0.overflow ? .max : $0.partialValue } ?? .max,
      memory: Int64(memory))
  }
}

extension Duration {
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }
}
