import AuthCore
import LuaRuntime

extension SignInHookEvent {
  static let luaFields = LuaFieldNames(
    [
      "type", "project", "tenant", "account", "signInMethod", "secondFactor", "claims", "client",
    ], of: "an event")
  private static let clientFields = LuaFieldNames(
    ["address", "userAgent", "locale"], of: "an event's client")

  /// Writes the argument of a hook; missing values are nil, but tables are always present.
  func write(to table: LuaTableWriter) {
    table.set("type", kind.rawValue)
    table.set("project", scope.project)
    table.set("tenant", scope.tenant)
    table.set("account", record: AccountRecord(account))
    table.set("signInMethod", signInMethod)
    table.set("secondFactor", secondFactor?.kind)
    // A sign-in without claims gets an empty table, so that a script can read `event.claims.groups`.
    let claims = claims.luaWithoutEmpty
    table.set("claims", value: claims.tableValue == nil ? .table(LuaTable()) : claims)
    table.set("client", fields: 3, knowing: Self.clientFields) { table in
      table.set("address", client.address)
      table.set("userAgent", client.userAgent)
      table.set("locale", client.locale)
    }
  }
}

extension SignInHookAnswer {
  private static let fields = [
    "displayName", "photoURL", "emailVerified", "disabled", "customClaims",
  ]

  /// Reads a hook's answer; throws `HookMistake` naming the field at fault, or the fault of its claims.
  init(_ table: LuaTable, _ kind: SignInHookEvent.Kind) throws {
    self.init()
    let known = Self.fields + (kind == .beforeSignIn ? ["sessionClaims"] : [])
    if let unknown = table.fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw HookMistake(
        description:
          "a hook cannot change \"\(unknown)\"; \(suggestion(for: unknown, among: known))")
    }
    displayName = try Self.text("displayName", table)
    photoURL = try Self.text("photoURL", table)
    emailVerified = try Self.bool("emailVerified", table)
    disabled = try Self.bool("disabled", table)
    if let claims = try Self.claims("customClaims", table) {
      customClaims = .set(try CustomClaims(claims))
    }
    if let claims = try Self.claims("sessionClaims", table) { sessionClaims = .object(claims) }
  }

  private static func text(_ name: String, _ table: LuaTable) throws -> Change<String> {
    if table[name].isNil { return .leave }
    guard let text = table[name].stringValue else { throw mistyped(name, "a text") }
    return .set(text)
  }

  private static func bool(_ name: String, _ table: LuaTable) throws -> Bool? {
    if table[name].isNil { return nil }
    guard let value = table[name].boolValue else { throw mistyped(name, "true or false") }
    return value
  }

  private static func claims(_ name: String, _ table: LuaTable) throws -> [String: JSONValue]? {
    if table[name].isNil { return nil }
    guard case .object(let members)? = JSONValue(table[name]) else {
      throw mistyped(name, "a table of names")
    }
    return members
  }

  private static func mistyped(_ name: String, _ expected: String) -> HookMistake {
    HookMistake(description: "the hook returned \(name) that is not \(expected)")
  }
}
