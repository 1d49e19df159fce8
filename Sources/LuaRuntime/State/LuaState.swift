// LuaRuntime embeds Lua 5.4 so that scripts of strangers cannot escape or starve their host.
// Start with LuaState: load a text, call it, hand in functions and objects of Swift.
// LuaValue is what crosses the border; LuaLimits is what a call may use.
// CLuaShim holds all that may raise an error of Lua; no such error crosses a Swift frame.
// It may import CLua, CLuaShim, TerminalOutput and Crypto, and is the only module that does so for Lua.

import CLuaShim

/// Runs Lua code under limits.
///
/// A state belongs to one owner at a time and is not `Sendable`. A call that is stopped leaves
/// the state usable; after a stop by memory `isTainted` advises to make a new one.
public final class LuaState {
  /// Names what the state is for.
  public let profile: LuaProfile
  /// Stops calls from elsewhere.
  public let interrupt = LuaInterrupt()
  /// Bounds calls that bring no limits of their own.
  public var limits: LuaLimits
  /// Tells that a call was stopped for its memory.
  public internal(set) var isTainted = false
  /// Gives what a host object is in JSON; nil where it has no form there.
  public var dataForJSON: ((LuaObject) -> LuaTable?)?

  let vm: OpaquePointer
  let configuration: LuaConfiguration
  let released = ReleasedReferences()
  /// Counts what Lua holds of ours.
  package let objects = ObjectCounter()
  var behaviors: [String: ObjectBehavior] = [:]
  /// The metatables of tables that know their names.
  var known: [ObjectIdentifier: KnownMetatables] = [:]
  /// The thread of Lua that runs now; host functions push to it.
  var current: OpaquePointer
  var depth = 0
  /// What a waiting host function asked for.
  var pending: (any Sendable)?
  /// The last Swift error that became a Lua table, and which table.
  var lastThrown: (table: UnsafeRawPointer?, error: any Error)?
  /// What a table that is being written could not take.
  var writingFailure: LuaError?
  private let stateBox: StateBox
  private var globalsReference: LuaReference?
  var errorMetatableReference: LuaReference?

  /// Creates a state with the libraries of its profile.
  ///
  /// Throws `setup` when the Lua library is not the expected one or a forbidden name can be
  /// reached.
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

  /// Counts the bytes in use.
  public var memoryUsed: Int { Int(ls_memory_used(vm)) }

  /// Keeps the default environment.
  public var globals: LuaReference {
    guard let globalsReference else { return makeEnvironment() }
    return globalsReference
  }

  /// Makes a private environment: own copies of the libraries and of what was set for all.
  ///
  /// A sealed one refuses every write, also to its libraries, and says the name.
  public func makeEnvironment(sealed: Bool = false) -> LuaReference {
    drain()
    ls_push_environment(current, sealed)
    return takeReference(current)
  }

  /// Lets a compiled chunk see another environment from its next call on.
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
  /// Without an environment it is set in `globals` and in all environments made later. A name that
  /// is set to nil exists there and is nil.
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

  /// Begins the series of `math.random` anew; the same seed gives the same series.
  public func seedRandom(_ seed: UInt64) {
    drain()
    ls_seed(current, seed)
  }

  /// Lets go of what the host dropped since.
  func drain() {
    for index in released.empty() { ls_unref(current, index) }
  }
}

/// Lets callbacks find their state without keeping it alive.
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
