public import AuthCore
public import LuaRuntime

/// The fields of an account under their names in Lua, which are Firebase's.
public enum AccountField: String, CaseIterable, Sendable {
  case uid, email, emailVerified, displayName, photoURL, phoneNumber, disabled, isAnonymous
  case customClaims, metadata, multiFactor, providerData

  /// The field's value in an account, as Lua has it.
  public func value(of account: Account) -> LuaValue {
    LuaTable(writing: { write(account, to: $0) })[rawValue]
  }

  fileprivate func write(_ account: Account, to table: LuaTableWriter) {
    switch self {
    case .uid: table.set(rawValue, account.id.rawValue)
    case .email: table.set(rawValue, account.email?.text)
    case .emailVerified: table.set(rawValue, account.emailVerified)
    case .displayName: table.set(rawValue, account.displayName)
    case .photoURL: table.set(rawValue, account.photoURL)
    case .phoneNumber: table.set(rawValue, account.phoneNumber?.text)
    case .disabled: table.set(rawValue, account.disabled)
    case .isAnonymous: table.set(rawValue, account.isAnonymous)
    case .customClaims:
      if let claims = account.customClaims {
        table.set(rawValue, value: JSONValue.object(claims.members).lua)
      }
    case .metadata:
      table.set(rawValue, fields: 4, knowing: Account.metadataFields, account.writeMetadata)
    case .multiFactor:
      table.set(rawValue, fields: 1, knowing: Account.multiFactorFields) { table in
        let factors = account.secondFactors
        table.set(
          "enrolledFactors", count: factors.count, fields: 5, knowing: SecondFactor.luaFields
        ) { factors[$1].write(to: $0) }
      }
    case .providerData:
      let identities = account.identities
      table.set(rawValue, count: identities.count, fields: 8, knowing: Identity.luaFields) {
        identities[$1].write(to: $0)
      }
    }
  }
}

/// An account for merge policies and hooks; reading an unknown name is an error.
///
/// `createdAt` and `lastSignInAt` are milliseconds since 1970, here and in `metadata`. Custom claims that are null
/// are left out. It is a class, so that comparing a table's record copies no account.
class AccountRecord: LuaRecord {
  class var luaFields: LuaFieldNames { names }
  fileprivate static let ownFields = places.map(\.rawValue) + ["createdAt", "lastSignInAt"]
  private static let names = LuaFieldNames(ownFields, of: "an account")
  private static let places = AccountField.allCases

  let account: Account

  init(_ account: Account) {
    self.account = account
  }

  /// An estimate of the memory in Lua: most accounts have few identities, whose texts belong to the host.
  var luaBytes: Int {
    1000 + 500 * max(0, account.identities.count + account.secondFactors.count - 4)
  }

  func write(_ place: Int, to table: LuaTableWriter) {
    switch place - Self.places.count {
    case 0: table.set("createdAt", account.createdAt.milliseconds)
    case 1: table.set("lastSignInAt", account.lastSignInAt?.milliseconds)
    default: write(Self.places[place], to: table)
    }
  }

  private func write(_ field: AccountField, to table: LuaTableWriter) {
    switch field {
    case .customClaims:
      guard let claims = account.customClaims else { return }
      table.set(field.rawValue, value: JSONValue.object(claims.members).luaWithoutEmpty)
    case .providerData:
      let identities = account.identities
      table.set(
        field.rawValue, count: identities.count, fields: 12, knowing: Identity.policyFields
      ) { table, place in
        identities[place].write(to: table)
        identities[place].writeHistory(to: table)
      }
    default: field.write(account, to: table)
    }
  }
}

/// An account of a conflict, with the accounts that it absorbed, newest first.
final class ConflictAccountRecord: AccountRecord {
  override static var luaFields: LuaFieldNames { names }
  private static let names = LuaFieldNames(
    AccountRecord.ownFields + ["absorbed"], of: "an account")
  private static let entryFields = LuaFieldNames(["uid", "at"], of: "an entry of absorbed")

  private let absorbed: [AbsorbedAccount]

  init(_ account: Account, absorbed: [AbsorbedAccount]) {
    self.absorbed = absorbed
    super.init(account)
  }

  override var luaBytes: Int { super.luaBytes + 150 * absorbed.count }

  override func write(_ place: Int, to table: LuaTableWriter) {
    guard place == AccountRecord.ownFields.count else { return super.write(place, to: table) }
    table.set("absorbed", count: absorbed.count, fields: 2, knowing: Self.entryFields) {
      $0.set("uid", absorbed[$1].uid.rawValue)
      $0.set("at", absorbed[$1].at.milliseconds)
    }
  }
}

extension MergeConflict {
  /// Returns one of the two accounts as a policy sees it.
  func record(of account: Account) -> AccountRecord {
    ConflictAccountRecord(
      account, absorbed: account.id == current.id ? history.current : history.existing)
  }
}

extension Account {
  fileprivate static let metadataFields = LuaFieldNames(
    ["createdAt", "creationTime", "lastSignInAt", "lastSignInTime"], of: "an account's metadata")
  fileprivate static let multiFactorFields = LuaFieldNames(
    ["enrolledFactors"], of: "an account's multiFactor")

  /// The whole account as plain data, as `--json` prints it.
  public var lua: LuaTable {
    LuaTable { table in
      for field in AccountField.allCases { field.write(self, to: table) }
      table.set("createdAt", createdAt.milliseconds)
      table.set("lastSignInAt", lastSignInAt?.milliseconds)
    }
  }

  fileprivate func writeMetadata(to table: LuaTableWriter) {
    table.set("createdAt", createdAt.milliseconds)
    table.set("creationTime", createdAt.text)
    table.set("lastSignInAt", lastSignInAt?.milliseconds)
    table.set("lastSignInTime", lastSignInAt?.text)
  }
}

extension Identity {
  private static let names = [
    "providerID", "uid", "issuer", "displayName", "photoURL", "email", "isPrivateEmail",
    "phoneNumber",
  ]
  fileprivate static let luaFields = LuaFieldNames(names, of: "an entry of providerData")
  fileprivate static let policyFields = LuaFieldNames(
    names + ["origin", "linkedAt", "lastSignInAt", "changedAt"], of: "an entry of providerData")

  /// Writes what only policies and hooks see: the source of the identity, its times in milliseconds, and that at which
  /// a password was set.
  fileprivate func writeHistory(to table: LuaTableWriter) {
    table.set("origin", origin.rawValue)
    table.set("linkedAt", linkedAt.milliseconds)
    table.set("lastSignInAt", lastSignInAt?.milliseconds)
    if provider == .password { table.set("changedAt", secret?.changedAt.milliseconds) }
  }

  /// Writes one entry of `providerData`; `uid` is the provider's subject, for a password the address.
  fileprivate func write(to table: LuaTableWriter) {
    table.set("providerID", provider.rawValue)
    table.set("uid", key.subject)
    if !key.issuer.isEmpty { table.set("issuer", key.issuer) }
    table.set("displayName", profile.displayName)
    table.set("photoURL", profile.photoURL)
    table.set("email", profile.email ?? (provider == .password ? key.subject : nil))
    if profile.hasRelayAddress { table.set("isPrivateEmail", true) }
    table.set("phoneNumber", profile.phoneNumber ?? (provider == .phone ? key.subject : nil))
  }
}

extension SecondFactor {
  fileprivate static let luaFields = LuaFieldNames(
    ["uid", "factorID", "displayName", "enrolledAt", "phoneNumber"], of: "a second factor")

  fileprivate func write(to table: LuaTableWriter) {
    table.set("uid", id)
    table.set("factorID", factorID)
    table.set("displayName", displayName)
    table.set("enrolledAt", enrolledAt)
    if case .phone(let number) = kind { table.set("phoneNumber", number.text) }
  }
}

extension LuaValue {
  /// Converts a text; nil becomes Lua's nil.
  public static func optional(_ text: String?) -> LuaValue { text.map { .string($0) } ?? .nil }
  /// Converts a number; nil becomes Lua's nil.
  public static func optional(_ number: Int64?) -> LuaValue { number.map { .integer($0) } ?? .nil }
}
