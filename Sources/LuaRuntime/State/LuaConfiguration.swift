/// The purpose of a state, which determines the libraries that scripts find in it.
public enum LuaProfile: Sendable {
  /// For decisions from values: no metatables, no coroutines.
  case policy
  /// For work on behalf of the host: guarded metatables, coroutines, and host functions that wait.
  ///
  /// A metatable is copied when it is set, without the entries for the collector. A metamethod that is added later
  /// takes effect at the next `setmetatable`. Finalizers, `__close` and weak tables are refused, and so is
  /// `coroutine.close`.
  case plugin
  /// For a person: everything that plug-ins have, `print`, and an interrupt instead of a budget.
  case console
}

/// Limits of one call.
///
/// The budget covers the whole call, including all coroutines that it makes. A call that reaches a limit is stopped
/// in a way that no script can catch.
public struct LuaLimits: Sendable, Hashable {
  /// The instructions of the virtual machine, plus the charged work of the libraries.
  public var instructions: Int?
  /// The CPU time of the thread, which does not depend on the load of the machine.
  public var cpuTime: Duration?
  /// The memory of the whole state in bytes.
  public var memory: Int
  /// The wall-clock time since the start of the call.
  public var deadline: Duration?

  /// Creates limits; `nil` means unlimited.
  public init(
    instructions: Int? = nil, cpuTime: Duration? = nil, memory: Int = 32 << 20,
    deadline: Duration? = nil
  ) {
    self.instructions = instructions
    self.cpuTime = cpuTime
    self.memory = memory
    self.deadline = deadline
  }

  /// Limits for a decision over a handful of values.
  public static let policy = Self(
    instructions: 200_000, cpuTime: .milliseconds(20), memory: 4 << 20)
  /// Limits for a provider that reads a vendor's answers.
  public static let plugin = Self(instructions: 20_000_000, cpuTime: .seconds(1))
  /// Limits for a person who can press Ctrl-C.
  public static let console = Self(memory: 256 << 20)
}

/// A line that a script logged.
public struct LuaLogRecord: Sendable {
  /// The severity of a record.
  public enum Level: String, Sendable {
    /// The levels of `log.info`, `log.warn` and `log.error`.
    case info, warn, error
  }

  /// The severity.
  public var level: Level
  /// The text.
  public var message: String
  /// The script and line that logged.
  public var script: String?
}

/// The parts that the host hands to a state.
public struct LuaConfiguration {
  /// The limits, in place of those of the profile.
  public var limits: LuaLimits?
  /// Receives the bytes that `print` writes, without the line end; console profile only.
  ///
  /// Strings arrive unchanged and need not be UTF-8; other values are described.
  public var print: (([UInt8]) -> Void)?
  /// Receives the records of `log`.
  public var log: ((LuaLogRecord) -> Void)?
  /// Returns the limits of `print` and `describe`, at each call.
  public var describeLimits: () -> LuaDescribeLimits
  /// Returns milliseconds since 1970 for `time.now`; always 0 unless a clock is given.
  public var clock: () -> Int64
  /// The seed of `math.random` until `seedRandom` replaces it.
  ///
  /// Without a seed the series is always the same.
  public var randomSeed: UInt64

  /// Creates a configuration; all parts are optional.
  public init(
    limits: LuaLimits? = nil, print: (([UInt8]) -> Void)? = nil,
    log: ((LuaLogRecord) -> Void)? = nil,
    describeLimits: @escaping () -> LuaDescribeLimits = { .init() },
    clock: @escaping () -> Int64 = { 0 },
    randomSeed: UInt64 = 0
  ) {
    self.limits = limits
    self.print = print
    self.log = log
    self.describeLimits = describeLimits
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
