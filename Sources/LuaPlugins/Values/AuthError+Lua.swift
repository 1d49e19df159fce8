public import AuthCore
public import LuaRuntime

/// An error as scripts catch it: a table with `code`, `message`, `remedy`, `field` where one is at fault, and
/// `id` where an audit event tells more.
extension AuthError: LuaErrorConvertible {
  public func luaError() -> LuaTable {
    var table = LuaTable()
    table["code"] = .string(code.rawValue)
    table["message"] = .string(message)
    table["remedy"] = .optional(remedy)
    table["field"] = .optional(field)
    table["id"] = .optional(eventID)
    return table
  }
}
