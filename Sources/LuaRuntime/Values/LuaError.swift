/// An error that kept Lua code from being compiled, or made it fail or stop.
public struct LuaError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
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
    /// The host was given, or gave, a value that it cannot use.
    public static let argument = Self(.argument)
    /// A value cannot be copied between Lua and Swift.
    public static let conversion = Self(.conversion)
    /// The state could not be made safely.
    public static let setup = Self(.setup)

    /// The name of the code, as programs and tests compare it.
    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// The problem in one sentence, without the place.
  public var message: String
  /// The line in the script.
  public var line: Int?
  /// The script's name.
  public var script: String?
  /// The value that the script raised; a table that cannot be copied stays a reference.
  public var value: LuaValue?
  /// The calls that led to the error.
  public var traceback: String?
  /// True if more text could complete the script, for a prompt that continues.
  public var isIncomplete = false
  /// The Swift error that a host function threw.
  public var cause: (any Error)?

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Tells whether a limit or an interrupt stopped the call.
  public var isAbort: Bool {
    [.instructions, .time, .deadline, .memory, .interrupted].contains(code)
  }

  /// The place and the message in one line.
  public var description: String {
    guard let script else { return message }
    guard let line else { return "\(script): \(message)" }
    return "\(script):\(line): \(message)"
  }
}

/// An error that becomes a table in Lua, so that scripts can read its parts.
public protocol LuaErrorConvertible: Error {
  /// Makes the table that scripts catch; `code` and `message` make up its text.
  func luaError() -> LuaTable
}

/// Raises a Lua value of the host's choice.
public struct LuaRaise: Error, Sendable {
  /// The value to raise.
  public let value: LuaValue

  /// Creates an error that raises a value.
  public init(_ value: LuaValue) { self.value = value }
}

/// An error that says which argument of a host function is wrong, and how.
public struct LuaArgumentError: Error, Sendable, CustomStringConvertible {
  /// The message.
  public var description: String

  /// Creates an error with a whole sentence as its message.
  public init(_ description: String) { self.description = description }
}
