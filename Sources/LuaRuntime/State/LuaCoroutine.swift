import CLuaShim

/// Work that a host function waits for; `LuaState.run` awaits it.
public struct LuaWork: Sendable {
  let body: @Sendable () async throws -> [LuaValue]

  /// Creates work from a function to await.
  public init(_ body: @escaping @Sendable () async throws -> [LuaValue]) { self.body = body }
}

/// The outcome of a host function: results, or a request to wait.
public enum LuaOutcome {
  /// Returns these results.
  case values([LuaValue])
  /// Returns arguments unchanged, each by its index.
  case arguments([Int])
  /// Returns one table that is written directly in Lua; `fields` is its approximate size.
  case table(fields: Int, (LuaTableWriter) -> Void)
  /// Returns a record.
  case record(any LuaRecord)
  /// Hands a request to the owner, who resumes with the result.
  case yield(any Sendable)
}

/// Runs one function that may wait, without holding a thread.
///
/// The remaining budget is carried from one slice to the next.
public final class LuaCoroutine {
  /// The state of the function.
  public enum Step {
    /// The function returned these results.
    case finished([LuaValue])
    /// The function waits for the result of this request.
    case awaiting(any Sendable)
  }

  /// The current state of the function.
  public private(set) var step: Step = .finished([])

  private let state: LuaState
  private let results: LuaResults
  private var budget: ls_budget
  private var thread: LuaReference?
  private var isWaiting = false

  init(state: LuaState, limits: LuaLimits, results: LuaResults) {
    self.state = state
    self.results = results
    budget = limits.budget
  }

  /// Continues with the results of the waiting host function.
  @discardableResult
  public func resume(_ values: [LuaValue] = []) throws(LuaError) -> Step {
    let L = try waitingThread()
    guard lua_checkstack(L, Int32(values.count + 8)) != 0 else {
      throw LuaError(.argument, "too many values")
    }
    for value in values { try state.push(value, L) }
    return try advance(L, Int32(values.count), raising: false)
  }

  /// Continues by raising an error in the waiting host function.
  @discardableResult
  public func resume(throwing error: any Error) throws(LuaError) -> Step {
    let L = try waitingThread()
    state.pushError(error, L, named: nil)
    return try advance(L, 1, raising: true)
  }

  func begin(_ function: LuaFunction, _ arguments: [LuaValue]) throws(LuaError) {
    state.drain()
    guard let L = lua_newthread(state.current) else {
      throw LuaError(.setup, "no thread of Lua could be made")
    }
    thread = state.takeReference(state.current)
    try state.pushCall(function, arguments, L)
    try advance(L, Int32(arguments.count), raising: false)
  }

  private func waitingThread() throws(LuaError) -> OpaquePointer {
    guard isWaiting, let thread else {
      throw LuaError(.argument, "the coroutine does not wait for anything")
    }
    state.drain()
    ls_push_ref(state.current, thread.index)
    defer { ls_pop(state.current, 1) }
    guard let L = lua_tothread(state.current, -1) else {
      throw LuaError(.argument, "the coroutine is gone")
    }
    return L
  }

  @discardableResult
  private func advance(
    _ L: OpaquePointer, _ arguments: Int32, raising: Bool
  ) throws(LuaError) -> Step {
    isWaiting = false
    var run = state.begin(with: budget)
    let before = state.current
    defer {
      state.current = before
      state.end(&run)
      if run.isOutermost { budget = run.budget }
      if !isWaiting { thread = nil }
    }
    var count: Int32 = 0
    state.pending = nil
    state.current = L
    let status = ls_resume(state.vm, L, arguments, &count, raising)
    if status == LUA_YIELD {
      ls_pop(L, count)
      isWaiting = true
      let request: any Sendable = state.pending ?? ()
      state.pending = nil
      step = .awaiting(request)
      return step
    }
    guard status == LUA_OK else { throw state.failure(status, L, script: nil) }
    step = .finished(try state.readResults(from: lua_gettop(L) - count + 1, L, results))
    return step
  }
}
