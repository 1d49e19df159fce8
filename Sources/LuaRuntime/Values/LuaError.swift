/// Says why Lua code could not be compiled, failed or was stopped.
public struct LuaError: Error, Sendable, CustomStringConvertible {
  /// Tells kinds of failure apart.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String {
      case syntax, runtime, instructions, time, deadline, memory, interrupted, argument
      case conversion, setup
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The text is not Lua.
    public static let syntax = Self(.syntax)
    /// The script raised an error.
    public static let runtime = Self(.runtime)
    /// The budget of instructions is used up.
    public static let instructions = Self(.instructions)
    /// The budget of CPU time is used up.
    public static let time = Self(.time)
    /// The deadline passed.
    public static let deadline = Self(.deadline)
    /// The memory limit was reached.
    public static let memory = Self(.memory)
    /// The host interrupted the call.
    public static let interrupted = Self(.interrupted)
    /// The host was given, or gave, something it cannot use.
    public static let argument = Self(.argument)
    /// A value cannot be copied between Lua and Swift.
    public static let conversion = Self(.conversion)
    /// The state could not be made safely.
    public static let setup = Self(.setup)

    /// Names the code, as programs and tests compare it.
    public var description: String { base.rawValue }
  }

  /// Tells what kind of failure it is.
  public var code: Code
  /// Says in one sentence what is wrong, without the place.
  public var message: String
  /// Names the line in the script.
  public var line: Int?
  /// Names the script.
  public var script: String?
  /// Holds what the script raised; a table that cannot be copied stays a reference.
  public var value: LuaValue?
  /// Lists the calls that led there.
  public var traceback: String?
  /// Tells that more text would make it complete, for a prompt that continues.
  public var isIncomplete = false
  /// Holds the Swift error that a host function threw.
  public var cause: (any Error)?

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Tells that a limit or an interrupt stopped the call.
  public var isAbort: Bool {
    [.instructions, .time, .deadline, .memory, .interrupted].contains(code)
  }

  /// Says place and message in one line.
  public var description: String {
    guard let script else { return message }
    guard let line else { return "\(script): \(message)" }
    return "\(script):\(line): \(message)"
  }
}

/// Becomes a table when a host function throws it, so that scripts can read its parts.
public protocol LuaErrorConvertible: Error {
  /// Makes the table that scripts catch; `code` and `message` make up its text.
  func luaError() -> LuaTable
}

/// Raises a Lua value of the host's choice.
public struct LuaRaise: Error, Sendable {
  /// Holds what is raised.
  public let value: LuaValue

  /// Creates an error that raises a value.
  public init(_ value: LuaValue) { self.value = value }
}

/// Says which argument of a host function is wrong, and how.
public struct LuaArgumentError: Error, Sendable, CustomStringConvertible {
  /// Holds the sentence.
  public var description: String

  /// Creates an error with a whole sentence.
  public init(_ description: String) { self.description = description }
}
