import CLuaShim

/// A Swift closure in a box that Lua's collector releases.
final class HostFunction {
  let name: String
  let body: (LuaCall) throws -> LuaOutcome
  /// The checks of a call before the body runs; nil for functions of the host's own.
  let rule: CallRule?
  private let objects: ObjectCounter

  init(
    _ name: String, _ objects: ObjectCounter, rule: CallRule? = nil,
    body: @escaping (LuaCall) throws -> LuaOutcome
  ) {
    self.name = name
    self.rule = rule
    self.body = body
    self.objects = objects
    objects.born()
  }

  deinit { objects.gone() }
}

/// Called by the C trampoline; the result tells C to return, raise or yield.
let runHostFunction: ls_body = { context, box, L in
  guard let context, let box, let L else { return Int32(LS_RAISE) }
  let owner = Unmanaged<StateBox>.fromOpaque(context).takeUnretainedValue()
  let function = Unmanaged<HostFunction>.fromOpaque(box).takeUnretainedValue()
  guard let state = owner.state else { return Int32(LS_RAISE) }
  return state.answer(function, L)
}

let releaseHostBox: ls_release = { box in
  guard let box else { return }
  Unmanaged<AnyObject>.fromOpaque(box).release()
}

extension LuaState {
  /// Makes a function that scripts call.
  ///
  /// The name appears in messages about wrong arguments. An error that the body throws becomes an error of the script:
  /// a table for `LuaErrorConvertible`, otherwise text. The body should use `LuaCall.state` instead of capturing the
  /// state, which would keep itself alive.
  ///
  /// - Parameters:
  ///   - name: the name in messages.
  ///   - signed: the name by which ``signature`` knows the function, if that is another one.
  ///   - receiver: the type of the object that a call with a colon passes as the first argument; nil if there is none.
  ///   - body: the function.
  /// - Returns: the function.
  public func function(
    named name: String, signed: String? = nil, receiver: String? = nil,
    _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) -> LuaFunction {
    let signature = signature?(signed ?? name)
    let rule = receiver.map { CallRule(.optional(type: $0), signature) } ?? CallRule(signature)
    return yieldingFunction(named: name, rule: rule) { .values(try body($0)) }
  }

  /// Makes a function that may return its results later.
  public func yieldingFunction(
    named name: String, _ body: @escaping (LuaCall) throws -> LuaOutcome
  ) -> LuaFunction {
    yieldingFunction(named: name, rule: CallRule(signature?(name)), body)
  }

  private func yieldingFunction(
    named name: String, rule: CallRule?, _ body: @escaping (LuaCall) throws -> LuaOutcome
  ) -> LuaFunction {
    drain()
    pushFunction(HostFunction(name, objects, rule: rule, body: body), current)
    return LuaFunction(reference: takeReference(current))
  }

  /// Makes a function whose body is awaited by `run`.
  ///
  /// It gets copies of its arguments; tables that cannot be copied arrive as references.
  public func asyncFunction(
    named name: String, _ body: @escaping @Sendable ([LuaValue]) async throws -> [LuaValue]
  ) -> LuaFunction {
    yieldingFunction(named: name) { $0.waiting(body) }
  }

  func pushFunction(_ function: HostFunction, _ L: OpaquePointer) {
    ls_push_function(L, Unmanaged.passRetained(function).toOpaque())
  }

  fileprivate func answer(_ function: HostFunction, _ L: OpaquePointer) -> Int32 {
    let before = current
    current = L
    defer { current = before }
    drain()
    let call = LuaCall(name: function.name, state: self, L: L)
    defer { call.close() }
    do {
      try authorize?(function.name)
      try function.rule?.check(call)
      switch try function.body(call) {
      case .values(let values):
        guard lua_checkstack(L, Int32(clamping: values.count + 8)) != 0 else {
          throw LuaError(.conversion, "too many results")
        }
        for value in values { try push(value, L) }
        return Int32(values.count)
      case .arguments(let places):
        guard lua_checkstack(L, Int32(clamping: places.count)) != 0 else {
          throw LuaError(.conversion, "too many results")
        }
        for place in places { call.pushArgument(place) }
        return Int32(places.count)
      case .table(let fields, let fill):
        try pushWritten(fields: fields, L, fill)
        return 1
      case .record(let record):
        try pushRecord(record, L)
        return 1
      case .yield(let request):
        pending = request
        return Int32(LS_YIELD)
      }
    } catch {
      // The budget registers the interrupt, so that the script ends and cannot catch it.
      if error is CancellationError, interrupt.isRaised { _ = ls_pay_from_host(vm, 1) }
      pushError(error, L, named: function.name)
      return Int32(LS_RAISE)
    }
  }
}
