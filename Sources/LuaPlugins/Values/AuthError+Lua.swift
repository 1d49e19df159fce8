public import AuthCore
public import LuaRuntime

/// An error as scripts catch it: a table with `code`, `message`, `remedy`, `field` where one is at fault, and
/// `id` where an audit event tells more.
extension AuthError: LuaErrorConvertible {
  public func luaError() -> LuaTable {
    var table = LuaTable()
    table["code"] = .string(code.rawValue)
    // Admins alone see this, and a cause of ours says more than what is told outside.
    let cause = cause as? AuthError
    table["message"] = .string(cause.map { "\(message) \($0.message)" } ?? message)
    table["remedy"] = .optional(cause?.remedy ?? remedy)
    table["field"] = .optional(field)
    table["id"] = .optional(eventID)
    return table
  }
}
