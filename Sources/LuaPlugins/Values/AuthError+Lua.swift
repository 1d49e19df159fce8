public import AuthCore
public import LuaRuntime

/// An error as scripts catch it: a table with `code`, `message`, `remedy`, `field` if one is at fault, and `id` if
/// an audit event has details.
extension AuthError: LuaErrorConvertible {
  /// Makes the table that a script catches.
  public func luaError() -> LuaTable {
    var table = LuaTable()
    table["code"] = .string(code.rawValue)
    // Only admins see this, and a cause of ours says more than the message for clients.
    let cause = cause as? AuthError
    table["message"] = .string(cause.map { "\(message) \($0.message)" } ?? message)
    table["remedy"] = .optional(cause?.remedy ?? remedy)
    table["field"] = .optional(field)
    table["id"] = .optional(eventID)
    return table
  }
}
