import CLuaShim

/// The arguments of a call of a host function, counted from 1.
///
/// It is valid only while the body runs.
public final class LuaCall {
  /// The function's name, for messages.
  public let name: String
  /// The state that runs the calling script.
  public let state: LuaState
  /// The number of arguments.
  public let count: Int
  private let stack: OpaquePointer
  private var isOpen = true

  init(name: String, state: LuaState, L: OpaquePointer) {
    self.name = name
    self.state = state
    stack = L
    count = Int(lua_gettop(L))
  }

  func close() { isOpen = false }

  var L: OpaquePointer {
    precondition(isOpen, "a LuaCall was used after its function returned")
    return stack
  }

  /// Copies all arguments; those that cannot be copied become references.
  public var arguments: [LuaValue] {
    guard count > 0 else { return [] }
    return (1...count).map { index in
      if let value = try? value(index) { return value }
      return (try? reference(index)).map { .reference($0) } ?? .nil
    }
  }

  /// Copies an argument; an absent one is nil.
  public func value(_ index: Int, _ results: LuaResults = .copies) throws -> LuaValue {
    guard index <= count, lua_checkstack(L, 8) != 0 else { return .nil }
    return try read(Int32(index), results)
  }

  /// Reads a value and charges the budget of the call, except for some free steps.
  func read(_ place: Int32, _ results: LuaResults, free: Int = 0) throws -> LuaValue {
    var reader = ValueReader(state: state, results: results, isPaid: true)
    let value = try reader.read(L, place)
    try reader.pay(above: free)
    return value
  }

  /// Pushes an argument as it is; an absent one is nil.
  func pushArgument(_ index: Int) {
    if index <= count { lua_pushvalue(L, Int32(index)) } else { lua_pushnil(L) }
  }

  /// Tells whether an argument is absent or nil.
  public func isNil(_ index: Int) -> Bool { lua_type(L, Int32(index)) <= LUA_TNIL }

  /// Tells whether `if` treats an argument as true; an absent one is not.
  package func isTruthy(_ index: Int) -> Bool { lua_toboolean(L, Int32(index)) != 0 }

  /// Returns the type of an argument, or "no value" if it is absent.
  public func typeName(_ index: Int) -> String {
    index <= count ? typeName(Int32(index)) : "no value"
  }

  func typeName(_ place: Int32) -> String {
    if let object = hostObject(L, place) { return object.displayType }
    if ls_is_null(L, place) { return "json.null" }
    return String(cString: ls_type_name(L, place))
  }

  /// Makes the error for a wrong argument.
  public func argumentError(
    _ index: Int, _ problem: String, name parameter: String? = nil
  ) -> LuaArgumentError {
    let parameter = parameter.map { " (\($0))" } ?? ""
    return LuaArgumentError("bad argument \(index)\(parameter) to '\(name)' (\(problem))")
  }

  func expected(_ what: String, _ index: Int, _ parameter: String?) -> LuaArgumentError {
    argumentError(index, "\(what) expected, got \(typeName(index))", name: parameter)
  }

  /// Charges the budget of the call for long work of the host.
  public func charge(_ steps: Int) throws(LuaError) {
    guard ls_pay_from_host(state.vm, Int64(steps)) else { throw state.abortError() }
  }

  /// The line of the caller.
  public var line: Int? {
    let line = place.line
    return line > 0 ? line : nil
  }

  /// The script of the caller.
  public var script: String? {
    let script = place.script
    return script.isEmpty ? nil : script
  }

  private var place: (script: String, line: Int) { state.place(L) }

  /// Returns work that `run` awaits.
  func waiting(
    _ body: @escaping @Sendable ([LuaValue]) async throws -> [LuaValue]
  ) -> LuaOutcome {
    let arguments = arguments
    return .yield(LuaWork { try await body(arguments) })
  }
}
