import CLuaShim

/// The arguments of a host function: their names, and whether they are too many.
public struct LuaSignature: Sendable {
  private let name: String
  /// The form of a call, such as `merge.plan(keep, absorb, options)`.
  public let form: String
  /// The maximum number of arguments, without the object before a colon.
  public let mostArguments: Int
  /// The remedy for more arguments, after the form.
  private let other: String

  /// Makes the signature of a function.
  ///
  /// - Parameters:
  ///   - name: the function's name.
  ///   - parameters: the names of its parameters.
  ///   - other: the remedy for more arguments, such as another function; nil for the usual one.
  public init(_ name: String, _ parameters: [String], else other: String? = nil) {
    self.name = name
    self.other = other ?? "A call that returns several values needs parentheses around it."
    form = "\(name)(\(parameters.joined(separator: ", ")))"
    mostArguments = parameters.count
  }

  /// The error of a call with too many arguments.
  func surplus(_ count: Int) -> LuaCallError {
    let taken =
      switch mostArguments {
      case 0: "no argument"
      case 1: "one argument"
      default: "at most \(mostArguments) arguments"
      }
    return LuaCallError(
      "\(mostArguments == 0 ? form : name) takes \(taken), not \(count).",
      remedy: "Write \(form). \(other)")
  }
}

/// An error that says how a host function is called.
public struct LuaCallError: LuaErrorConvertible, Sendable, CustomStringConvertible {
  private let message: String
  private let remedy: String

  init(_ message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }

  /// The problem and the remedy.
  public var description: String { "\(message) \(remedy)" }

  /// The error as a table with the code `invalid-argument`, a message and a remedy.
  public func luaError() -> LuaTable {
    LuaTable(fields: [
      "code": "invalid-argument", "message": .string(message), "remedy": .string(remedy),
    ])
  }
}

/// The checks of a call of a host function before its body runs.
struct CallRule {
  /// The object that a call with a colon passes.
  enum Receiver {
    /// Every call has an object of the type.
    case required(type: String, shown: String)
    /// A call may have an object of the type.
    case optional(type: String)
    /// No call has one, as the function belongs to the library of the type.
    case library(type: String)
    case none
  }

  private let receiver: Receiver
  private let signature: LuaSignature?

  init(_ receiver: Receiver, _ signature: LuaSignature?) {
    self.receiver = receiver
    self.signature = signature
  }

  /// Makes the rule of a function without a receiver; nil if it takes any arguments.
  init?(_ signature: LuaSignature?) {
    guard let signature else { return nil }
    self.init(.none, signature)
  }

  /// Throws for a dot in place of a colon, a colon in place of a dot, and too many arguments.
  func check(_ call: LuaCall) throws {
    var count = call.count
    switch receiver {
    case .none: break
    case .required(let type, let shown):
      guard call.isObject(1, of: type) else {
        throw LuaCallError(
          "bad argument 1 to '\(call.name)' (\(shown) expected, got \(call.typeName(1))).",
          remedy: "Call it with a colon: \(form(of: call)).")
      }
      count -= 1
    case .optional(let type): if call.isObject(1, of: type) { count -= 1 }
    case .library(let type):
      guard !call.isObject(1, of: type) else {
        throw LuaCallError(
          "\(call.name) is called with a dot, not a colon.", remedy: "Write \(form(of: call)).")
      }
    }
    guard let signature, count > signature.mostArguments else { return }
    throw signature.surplus(count)
  }

  private func form(of call: LuaCall) -> String { signature?.form ?? "\(call.name)(…)" }
}

extension LuaCall {
  /// Tells whether an argument is a host object of a type.
  fileprivate func isObject(_ index: Int, of type: String) -> Bool {
    guard index <= count, lua_checkstack(L, 4) != 0 else { return false }
    return hostObject(L, Int32(index))?.type == type
  }
}
