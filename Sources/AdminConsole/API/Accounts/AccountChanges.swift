import AuthCore
import LuaPlugins
import LuaRuntime

/// The fields that `accounts.create` and `account:update` may set; `json.null` clears a field.
struct AccountChanges {
  static let names = [
    "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled", "customClaims",
    "password",
  ]

  private(set) var profile = ProfileChanges()

  init(_ table: LuaTable) throws(AuthError) {
    profile.email = try Self.change(table, "email") { text throws(AuthError) in
      try EmailAddress(text)
    }
    profile.phoneNumber = try Self.change(table, "phoneNumber") { text throws(AuthError) in
      try PhoneNumber(normalizing: text)
    }
    profile.displayName = try Self.change(table, "displayName") { $0 }
    profile.photoURL = try Self.change(table, "photoURL") { $0 }
    profile.emailVerified = try table.flag("emailVerified")
    profile.disabled = try table.flag("disabled")
    profile.password = try table.secretText("password")
    profile.customClaims = try Self.claims(table)
  }

  private static func change<Value>(
    _ table: LuaTable, _ name: String, _ read: (String) throws(AuthError) -> Value
  ) throws(AuthError) -> Change<Value> {
    if case .null = table[name] { return .clear }
    guard let text = try table.text(name) else { return .leave }
    return .set(try read(text))
  }

  private static func claims(_ table: LuaTable) throws(AuthError) -> Change<CustomClaims> {
    let value = table["customClaims"]
    if value.isNil { return .leave }
    if case .null = value { return .clear }
    guard case .object(let members)? = JSONValue(value) else {
      throw AuthError(
        .invalidClaims, "customClaims is a table of names and plain values.",
        field: "customClaims", remedy: "Write customClaims = { role = \"editor\" }.")
    }
    return .set(try CustomClaims(members))
  }
}
