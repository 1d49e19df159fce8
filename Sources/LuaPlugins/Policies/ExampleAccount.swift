import AuthCore
import LuaRuntime

/// The problem of an example that is wrong itself, or that does not pass.
struct ExampleMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// An account of an example, in the form in which policies see accounts.
struct ExampleAccount {
  private static let names = [
    "uid", "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled",
    "isAnonymous", "customClaims", "createdAt", "lastSignInAt", "providerData", "multiFactor",
    "password",
  ]
  private static let identityNames = [
    "providerID", "uid", "issuer", "email", "displayName", "photoURL", "phoneNumber", "origin",
    "linkedAt", "lastSignInAt", "changedAt",
  ]

  private let name: String
  private let table: LuaTable
  private var account: Account

  /// Makes the account of a name, with an identity to sign in by unless it is anonymous or lists its own.
  static func account(_ name: String, _ value: LuaValue, in scope: Scope) throws -> Account {
    try ExampleAccount(name, value, scope, knowing: names).account
  }

  /// Makes an account of a conflict, with the accounts that it absorbed.
  static func conflicting(
    _ name: String, _ value: LuaValue, in scope: Scope
  ) throws -> (Account, [AbsorbedAccount]) {
    let example = try ExampleAccount(name, value, scope, knowing: names + ["absorbed"])
    return (example.account, try example.absorbed())
  }

  private init(
    _ name: String, _ value: LuaValue, _ scope: Scope, knowing names: [String]
  ) throws {
    guard value.isNil || value.tableValue != nil else {
      throw ExampleMismatch("\(name) is \(value.typeName), not a table")
    }
    let table = value.tableValue ?? LuaTable()
    (self.name, self.table) = (name, table)
    try ExampleMismatch.check(table, names, name)
    if table["emailVerified"].boolValue == true, table["email"].isNil {
      throw ExampleMismatch("\(name) has emailVerified without an email")
    }
    let createdAt =
      try Timestamp(example: table["createdAt"], "\(name).createdAt") ?? Timestamp(milliseconds: 0)
    account = Account(
      id: AccountID(table["uid"].stringValue ?? name), scope: scope, createdAt: createdAt)
    account.email = try table["email"].stringValue.map { try EmailAddress($0) }
    account.emailVerified = account.email != nil && table["emailVerified"].boolValue == true
    account.displayName = table["displayName"].stringValue
    account.photoURL = table["photoURL"].stringValue
    account.phoneNumber = try table["phoneNumber"].stringValue.map { try PhoneNumber($0) }
    account.disabled = table["disabled"].boolValue ?? false
    account.isAnonymous = table["isAnonymous"].boolValue ?? false
    if case .object(let members)? = JSONValue(table["customClaims"]) {
      account.customClaims = try CustomClaims(members)
    }
    account.lastSignInAt = try Timestamp(example: table["lastSignInAt"], "\(name).lastSignInAt")
    account.identities = try identities()
    account.secondFactors = try secondFactors()
  }

  /// Reads the earlier merges, newest first; each is a time, or a table with `at` and `uid`.
  private func absorbed() throws -> [AbsorbedAccount] {
    let value = table["absorbed"]
    guard !value.isNil else { return [] }
    guard let list = value.tableValue, list.fields.isEmpty else {
      throw ExampleMismatch("\(name).absorbed is not a list")
    }
    guard list.array.count <= ConflictHistory.mostMerges else {
      throw ExampleMismatch(
        "\(name).absorbed has more than the \(ConflictHistory.mostMerges) entries that a policy sees"
      )
    }
    let entries = try list.array.enumerated().map { index, value in
      let entry = value.tableValue ?? LuaTable(fields: ["at": value])
      try ExampleMismatch.check(entry, ["uid", "at"], "an entry of \(name).absorbed")
      guard let at = try Timestamp(example: entry["at"], "at of \(name).absorbed") else {
        throw ExampleMismatch("an entry of \(name).absorbed has no time at")
      }
      return AbsorbedAccount(
        AccountID(entry["uid"].stringValue ?? "absorbed-\(index + 1)"), at: at)
    }
    guard zip(entries, entries.dropFirst()).allSatisfy({ $0.at >= $1.at }) else {
      throw ExampleMismatch("\(name).absorbed does not begin with the newest merge")
    }
    return entries
  }

  private func identities() throws -> [Identity] {
    var identities: [Identity] = []
    if let list = table["providerData"].tableValue {
      guard list.fields.isEmpty else { throw ExampleMismatch("\(name).providerData is not a list") }
      identities = try list.array.map(identity)
    } else if !table["providerData"].isNil {
      throw ExampleMismatch("\(name).providerData is not a list")
    } else if !account.isAnonymous, table["password"].boolValue != true {
      identities = [plain("oidc.example", subject: name)]
    }
    if table["password"].boolValue == true {
      guard let email = account.email else {
        throw ExampleMismatch("\(name) has a password without an email")
      }
      identities.append(plain("password", subject: email.canonical))
    }
    return identities
  }

  private func plain(_ provider: String, subject: String) -> Identity {
    Identity(
      key: IdentityKey(ProviderID(provider), subject: subject), origin: .credential,
      linkedAt: account.createdAt, secret: secret(of: provider))
  }

  /// A password without a secret would be no way to sign in.
  private func secret(of provider: String) -> StoredSecret? {
    provider == "password" ? StoredSecret(encoded: "example", changedAt: account.createdAt) : nil
  }

  /// Reads an entry: a provider's ID, or the fields that policies see.
  private func identity(_ value: LuaValue) throws -> Identity {
    if let provider = value.stringValue { return plain(provider, subject: subject(of: provider)) }
    guard let entry = value.tableValue, let provider = entry["providerID"].stringValue else {
      throw ExampleMismatch("an entry of \(name).providerData has no providerID")
    }
    try ExampleMismatch.check(entry, Self.identityNames, "an entry of \(name).providerData")
    let origin = entry["origin"].stringValue
    guard let origin = Identity.Origin(rawValue: origin ?? Identity.Origin.credential.rawValue)
    else { throw ExampleMismatch("origin is credential, assertion or imported") }
    let place = "\(name).providerData"
    let changedAt = try Timestamp(example: entry["changedAt"], "changedAt of \(place)")
    guard changedAt == nil || provider == "password" else {
      throw ExampleMismatch("changedAt of \(place) is not of a password")
    }
    var secret = secret(of: provider)
    if let changedAt { secret?.changedAt = changedAt }
    return Identity(
      key: IdentityKey(
        ProviderID(provider), issuer: entry["issuer"].stringValue ?? "",
        subject: entry["uid"].stringValue ?? subject(of: provider)),
      profile: IdentityProfile(
        email: entry["email"].stringValue, displayName: entry["displayName"].stringValue,
        photoURL: entry["photoURL"].stringValue, phoneNumber: entry["phoneNumber"].stringValue),
      origin: origin,
      linkedAt: try Timestamp(example: entry["linkedAt"], "linkedAt of \(place)")
        ?? account.createdAt,
      lastSignInAt: try Timestamp(example: entry["lastSignInAt"], "lastSignInAt of \(place)"),
      secret: secret)
  }

  /// The subject of an identity that names none.
  private func subject(of provider: String) -> String {
    switch provider {
    case "password", "emailLink": account.email?.canonical ?? name
    case "phone": account.phoneNumber?.text ?? name
    default: name
    }
  }

  /// Reads the factors: a list, or a table with `enrolledFactors` as policies see it.
  private func secondFactors() throws -> [SecondFactor] {
    let value = table["multiFactor"]
    guard !value.isNil else { return [] }
    let listed = value.tableValue?["enrolledFactors"].tableValue ?? value.tableValue
    guard let listed, listed.fields.isEmpty else {
      throw ExampleMismatch("\(name).multiFactor is a list, such as { \"totp\" }")
    }
    return try listed.array.enumerated().map { index, value in
      let entry = value.tableValue ?? LuaTable()
      let kind: SecondFactor.Kind
      switch value.stringValue ?? entry["factorID"].stringValue {
      case "totp": kind = .totp
      case "phone":
        kind = .phone(try PhoneNumber(entry["phoneNumber"].stringValue ?? "+15555550100"))
      default: throw ExampleMismatch("\(name).multiFactor has a factor that is no totp or phone")
      }
      return SecondFactor(
        id: entry["uid"].stringValue ?? "\(name)-\(index + 1)", kind: kind,
        displayName: entry["displayName"].stringValue, enrolledAt: entry["enrolledAt"].stringValue)
    }
  }
}

extension ExampleMismatch {
  /// Throws for a name that a table may not have.
  static func check(_ table: LuaTable, _ names: [String], _ what: String) throws {
    if let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw ExampleMismatch(
        "\(what) has no \"\(unknown)\"; \(suggestion(for: unknown, among: names))")
    }
  }
}

extension Timestamp {
  /// Reads a time in milliseconds, or as text; nil if it is missing.
  init?(example value: LuaValue, _ name: String) throws {
    if value.isNil { return nil }
    let written = value.stringValue.flatMap { text in
      Timestamp(rfc3339: text) ?? Timestamp(rfc3339: "\(text)T00:00:00Z")
    }
    guard let time = value.integerValue.map(Timestamp.init(milliseconds:)) ?? written else {
      throw ExampleMismatch(
        """
        \(name) is no time; give milliseconds as time.now() does, or a text such as \
        "2026-05-01" or "2026-05-01T12:00:00Z"
        """)
    }
    self = time
  }
}
