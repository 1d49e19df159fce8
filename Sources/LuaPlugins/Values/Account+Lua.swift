public import AuthCore
public import LuaRuntime

/// The fields of an account under their names in Lua, which are Firebase's.
public enum AccountField: String, CaseIterable, Sendable {
  case uid, email, emailVerified, displayName, photoURL, phoneNumber, disabled, isAnonymous
  case customClaims, metadata, multiFactor, providerData

  public func value(of account: Account) -> LuaValue {
    switch self {
    case .uid: .string(account.id.rawValue)
    case .email: .optional(account.email?.text)
    case .emailVerified: .bool(account.emailVerified)
    case .displayName: .optional(account.displayName)
    case .photoURL: .optional(account.photoURL)
    case .phoneNumber: .optional(account.phoneNumber?.text)
    case .disabled: .bool(account.disabled)
    case .isAnonymous: .bool(account.isAnonymous)
    case .customClaims: account.customClaims.map { JSONValue.object($0.members).lua } ?? .nil
    case .metadata: account.luaMetadata
    case .multiFactor:
      ["enrolledFactors": .table(LuaTable(array: account.secondFactors.map(\.lua)))]
    case .providerData: .table(LuaTable(array: account.identities.map { $0.lua(of: account) }))
    }
  }
}

extension Account {
  /// The whole account as plain data: what a merge policy sees, and what `--json` prints.
  ///
  /// `createdAt` and `lastSignInAt` are milliseconds since 1970, here and in `metadata`.
  public var lua: LuaTable {
    var table = LuaTable()
    table.fields.reserveCapacity(AccountField.allCases.count + 2)
    for field in AccountField.allCases { table[field.rawValue] = field.value(of: self) }
    table["createdAt"] = .integer(createdAt.milliseconds)
    table["lastSignInAt"] = .optional(lastSignInAt?.milliseconds)
    return table
  }

  fileprivate var luaMetadata: LuaValue {
    var table = LuaTable()
    table["createdAt"] = .integer(createdAt.milliseconds)
    table["creationTime"] = .string(createdAt.text)
    table["lastSignInAt"] = .optional(lastSignInAt?.milliseconds)
    table["lastSignInTime"] = .optional(lastSignInAt?.text)
    return .table(table)
  }
}

extension Identity {
  /// One entry of `providerData`; `uid` is the provider's subject, for a password the address.
  fileprivate func lua(of account: Account) -> LuaValue {
    var table = LuaTable()
    table.fields.reserveCapacity(6)
    table["providerID"] = .string(provider.rawValue)
    table["uid"] = .string(key.subject)
    table["issuer"] = key.issuer.isEmpty ? .nil : .string(key.issuer)
    table["displayName"] = .optional(profile.displayName)
    table["photoURL"] = .optional(profile.photoURL)
    table["email"] = .optional(profile.email ?? (provider == .password ? key.subject : nil))
    if profile.hasRelayAddress { table["isPrivateEmail"] = .bool(true) }
    table["phoneNumber"] = .optional(
      profile.phoneNumber ?? (provider == .phone ? key.subject : nil))
    return .table(table)
  }
}

extension SecondFactor {
  fileprivate var lua: LuaValue {
    var table = LuaTable()
    table["uid"] = .string(id)
    table["factorID"] = .string(factorID)
    table["displayName"] = .optional(displayName)
    table["enrolledAt"] = .optional(enrolledAt)
    if case .phone(let number) = kind { table["phoneNumber"] = .string(number.text) }
    return .table(table)
  }
}

extension LuaValue {
  public static func optional(_ text: String?) -> LuaValue { text.map { .string($0) } ?? .nil }
  public static func optional(_ number: Int64?) -> LuaValue { number.map { .integer($0) } ?? .nil }
}
