/// Names what a state is for, which decides what scripts find in it.
public enum LuaProfile: Sendable {
  /// Decides from values: no metatables, no coroutines.
  case policy
  /// Works for the host: guarded metatables and coroutines, host functions that wait.
  ///
  /// A metatable is copied when it is set, without what belongs to the collector: metamethods
  /// added to it later count from the next `setmetatable`. Finalizers, `__close` and weak tables
  /// are refused, and so is `coroutine.close`.
  case plugin
  /// Serves a person: what plug-ins have, `print`, and no budget but an interrupt.
  case console
}

/// Bounds what one call may use.
///
/// The budget covers the whole call, across all coroutines it makes. Reaching a bound stops
/// the call in a way no script can catch.
public struct LuaLimits: Sendable, Hashable {
  /// Counts instructions of the virtual machine plus the charged work of the libraries.
  public var instructions: Int?
  /// Bounds the CPU time of the thread, which a busy machine does not use up.
  public var cpuTime: Duration?
  /// Bounds the bytes of the whole state.
  public var memory: Int
  /// Bounds the time by the wall clock, from the start of the call.
  public var deadline: Duration?

  /// Creates limits; `nil` means without bound.
  public init(
    instructions: Int? = nil, cpuTime: Duration? = nil, memory: Int = 32 << 20,
    deadline: Duration? = nil
  ) {
    self.instructions = instructions
    self.cpuTime = cpuTime
    self.memory = memory
    self.deadline = deadline
  }

  /// Suits a decision over a handful of values.
  public static let policy = Self(
    instructions: 200_000, cpuTime: .milliseconds(20), memory: 4 << 20)
  /// Suits a provider that reads answers of a vendor.
  public static let plugin = Self(instructions: 20_000_000, cpuTime: .seconds(1))
  /// Suits a person who can press Ctrl-C.
  public static let console = Self(memory: 256 << 20)
}

/// Carries one line that a script logged.
public struct LuaLogRecord: Sendable {
  /// Says how much a record matters.
  public enum Level: String, Sendable {
    /// Marks what `log.info`, `log.warn` and `log.error` write.
    case info, warn, error
  }

  /// Says how much it matters.
  public var level: Level
  /// Holds the text.
  public var message: String
  /// Names the script and line that logged.
  public var script: String?
}

/// Gathers what the host hands to a state.
public struct LuaConfiguration {
  /// Replaces the limits of the profile.
  public var limits: LuaLimits?
  /// Receives what `print` writes, without the line end; console profile only.
  public var print: ((String) -> Void)?
  /// Receives the records of `log`.
  public var log: ((LuaLogRecord) -> Void)?
  /// Answers milliseconds since 1970 for `time.now`.
  public var clock: () -> Int64
  /// Seeds `math.random`.
  public var randomSeed: UInt64

  /// Creates a configuration whose parts are all optional.
  public init(
    limits: LuaLimits? = nil, print: ((String) -> Void)? = nil,
    log: ((LuaLogRecord) -> Void)? = nil, clock: @escaping () -> Int64 = { 0 },
    randomSeed: UInt64 = 0
  ) {
    self.limits = limits
    self.print = print
    self.log = log
    self.clock = clock
    self.randomSeed = randomSeed
  }
}

extension LuaProfile {
  var defaultLimits: LuaLimits {
    switch self {
    case .policy: .policy
    case .plugin: .plugin
    case .console: .console
    }
  }
}
