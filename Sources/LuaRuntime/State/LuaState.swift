// LuaRuntime embeds Lua 5.4 so that untrusted scripts can neither escape nor starve their host.
// Start with LuaState: load a text, call it, and hand in Swift functions and objects.
// LuaValue is the type that crosses the border; LuaLimits bounds a call.
// CLuaShim holds all code that may raise a Lua error; no such error crosses a Swift frame.
// Only this module imports CLua and CLuaShim. It may also import AuthValues, TerminalOutput, Crypto and locks.

import CLuaShim

/// Runs Lua code under limits.
///
/// A state has one owner at a time and is not `Sendable`. It stays usable after a call was stopped. If the memory limit
/// stopped the call, `isTainted` advises replacing the state.
public final class LuaState {
  /// The purpose of the state.
  public let profile: LuaProfile
  /// Stops calls from other threads.
  public let interrupt = LuaInterrupt()
  /// The limits of calls that have none of their own.
  public var limits: LuaLimits
  /// Set once a call was stopped by the memory limit.
  public internal(set) var isTainted = false
  /// Returns the table that represents a host object in JSON; nil if it has no JSON form.
  public var dataForJSON: ((LuaObject) -> LuaTable?)?
  /// Returns the signature of a function by its name, such as `audit.tail`; nil if any arguments are taken.
  ///
  /// It is asked when a function is made, so it has to be set before.
  public var signature: ((String) -> LuaSignature?)?
  /// Throws if the script may not call the host function of a name, such as `accounts.get` or `account:link`.
  ///
  /// It is asked before each call; nil allows all.
  public var authorize: ((String) throws -> Void)?

  let vm: OpaquePointer
  let configuration: LuaConfiguration
  let released = ReleasedReferences()
  /// The counter of Swift objects that Lua holds.
  package let objects = ObjectCounter()
  var behaviors: [String: ObjectBehavior] = [:]
  /// The metatables of tables with known names.
  var known: [ObjectIdentifier: KnownMetatables] = [:]
  /// The Lua thread that runs now; host functions push to it.
  var current: OpaquePointer
  var depth = 0
  /// The request of a waiting host function.
  var pending: (any Sendable)?
  /// The function that is told each line; nil unless a tool watches the state.
  var lineWatcher: ((LuaPause) -> Bool)?
  /// The last Swift error that became a Lua table, with the address of that table.
  var lastThrown: (table: UnsafeRawPointer?, error: any Error)?
  /// The first failure while a table is being written.
  var writingFailure: LuaError?
  private let stateBox: StateBox
  private var globalsReference: LuaReference?
  var errorMetatableReference: LuaReference?

  /// Creates a state with the libraries of its profile.
  ///
  /// Throws `setup` if the Lua library is not the expected version, or if a forbidden name can be reached.
  public init(profile: LuaProfile, configuration: LuaConfiguration = .init()) throws(LuaError) {
    self.profile = profile
    self.configuration = configuration
    limits = configuration.limits ?? profile.defaultLimits
    let box = StateBox()
    guard
      let vm = ls_open(
        Int32(profile.shimValue), configuration.randomSeed, Int64(limits.memory),
        interrupt.flag.pointer, Unmanaged.passUnretained(box).toOpaque(), runHostFunction,
        releaseHostBox)
    else { throw LuaError(.setup, "Lua could not be started") }
    self.vm = vm
    stateBox = box
    current = ls_main(vm)
    box.state = self
    installLibraries()
    globalsReference = makeEnvironment()
    try SandboxSelfTest.check(self)
  }

  deinit { ls_close(vm) }

  /// The number of bytes in use.
  public var memoryUsed: Int { Int(ls_memory_used(vm)) }

  /// The default environment.
  public var globals: LuaReference {
    guard let globalsReference else { return makeEnvironment() }
    return globalsReference
  }

  /// Makes a private environment with its own copies of the libraries and of values set for all environments.
  ///
  /// A sealed environment refuses every write, also to its libraries, with an error that names the variable.
  public func makeEnvironment(sealed: Bool = false) -> LuaReference {
    drain()
    ls_push_environment(current, sealed)
    return takeReference(current)
  }

  /// Replaces the environment of a compiled chunk, from its next call on.
  public func bind(_ chunk: LuaFunction, to environment: LuaReference) throws(LuaError) {
    drain()
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    try push(.reference(chunk.reference), L)
    try push(.reference(environment), L)
    lua_setupvalue(L, -2, 1)
  }

  /// Sets a global, raw.
  ///
  /// Without an environment, it is set in `globals` and in all environments made later. A name that is set to nil
  /// counts as known and has the value nil.
  public func set(
    _ name: String, to value: LuaValue, in environment: LuaReference? = nil
  ) throws(LuaError) {
    drain()
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    try push(.reference(environment ?? globals), L)
    ls_push_backing(L, -1)
    var name = name
    name.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { ls_declare(L, -1, $0.baseAddress, $0.count) }
    }
    Self.push(name, L)
    try push(value, L)
    if environment == nil {
      lua_pushvalue(L, -1)
      name.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) {
          ls_add_to_environments(L, $0.baseAddress, $0.count)
        }
      }
    }
    lua_rawset(L, -3)
  }

  /// Reads a global, raw; tables stay references.
  public func get(_ name: String, in environment: LuaReference? = nil) -> LuaValue {
    field(name, of: environment ?? globals)
  }

  /// Restarts the series of `math.random`; equal seeds give equal series.
  public func seedRandom(_ seed: UInt64) {
    drain()
    ls_seed(current, seed)
  }

  /// Releases the references that the host has dropped.
  func drain() {
    for index in released.empty() { ls_unref(current, index) }
  }
}

/// A weak link from callbacks to their state.
///
/// Callbacks run only inside calls of the state, so the reference cannot dangle.
final class StateBox {
  unowned(unsafe) var state: LuaState?
}

extension LuaProfile {
  var shimValue: Int {
    switch self {
    case .policy: LS_POLICY
    case .plugin: LS_PLUGIN
    case .console: LS_CONSOLE
    }
  }
}
