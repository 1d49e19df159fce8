import AuthCore
import LuaRuntime

extension SignInHookEvent {
  /// What a hook is given.
  var lua: LuaTable {
    var table = LuaTable()
    table["type"] = .string(kind.rawValue)
    table["project"] = .string(scope.project)
    table["tenant"] = .optional(scope.tenant)
    table["account"] = .table(account.lua)
    table["signInMethod"] = .string(signInMethod)
    table["secondFactor"] = .optional(secondFactor?.kind)
    table["claims"] = claims.luaWithoutNulls
    table["client"] = .table(
      LuaTable(fields: [
        "address": .optional(client.address), "userAgent": .optional(client.userAgent),
        "locale": .optional(client.locale),
      ]))
    return table
  }
}

extension SignInHookAnswer {
  private static let fields = [
    "displayName", "photoURL", "emailVerified", "disabled", "customClaims",
  ]

  /// Reads what a hook returned; throws `blocking-function-error` naming the field at fault.
  init(_ table: LuaTable, _ kind: SignInHookEvent.Kind) throws {
    self.init()
    let known = Self.fields + (kind == .beforeSignIn ? ["sessionClaims"] : [])
    if let unknown = table.fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw AuthError(
        .blockingFunctionError, "A hook cannot change \"\(unknown)\".", field: unknown,
        remedy: "It may change \(known.joined(separator: ", ")).", step: .policy)
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

  private static func mistyped(_ name: String, _ expected: String) -> AuthError {
    AuthError(
      .blockingFunctionError, "A hook returned \(name) that is not \(expected).", field: name,
      remedy: "Return \(expected).", step: .policy)
  }
}
