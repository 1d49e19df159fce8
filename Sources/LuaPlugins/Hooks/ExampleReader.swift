import AuthCore
import LuaRuntime

/// Reads a table of an example, and completes it to a value of the graph.
struct ExampleReader {
  static let scope = Scope(project: "example")

  private let table: LuaTable
  private let name: String

  init(_ table: LuaTable, _ name: String) {
    (self.table, self.name) = (table, name)
  }

  /// Throws for an unknown field.
  func check(_ names: [String]) throws {
    guard let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) else {
      return
    }
    throw ExampleMismatch(
      "\(name) has no \"\(unknown)\"; \(suggestion(for: unknown, among: names))")
  }

  /// Returns the reader of a table within; nil if it is missing.
  func part(_ field: String) throws -> ExampleReader? {
    if table[field].isNil { return nil }
    guard let part = table[field].tableValue else {
      throw ExampleMismatch("\(field) is \(table[field].typeName), not a table")
    }
    return ExampleReader(part, field)
  }

  func text(_ field: String) throws -> String? {
    if table[field].isNil { return nil }
    guard let text = table[field].stringValue else {
      throw ExampleMismatch("\(name).\(field) is \(table[field].typeName), not a text")
    }
    return text
  }

  func bool(_ field: String) throws -> Bool? {
    if table[field].isNil { return nil }
    guard let value = table[field].boolValue else {
      throw ExampleMismatch("\(name).\(field) must be true or false")
    }
    return value
  }

  /// A time in milliseconds, or as text; nil if it is missing.
  func time(_ field: String) throws -> Timestamp? {
    let value = table[field]
    if value.isNil { return nil }
    let written = value.stringValue.flatMap { text in
      Timestamp(rfc3339: text) ?? Timestamp(rfc3339: "\(text)T00:00:00Z")
    }
    guard let time = value.integerValue.map(Timestamp.init(milliseconds:)) ?? written else {
      throw ExampleMismatch(
        "\(name).\(field) is no time; give milliseconds, or a text such as \"2026-05-01\"")
    }
    return time
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ field: String, _: Choice.Type
  ) throws -> Choice? {
    guard let text = try text(field) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue)
      throw ExampleMismatch(
        "\(name).\(field) is \"\(text)\"; \(suggestion(for: text, among: known))")
    }
    return choice
  }

  func account(_ field: String) throws -> Account? { try part(field)?.account() }

  /// An account of this name, with an identity of each provider in `providers`.
  func account() throws -> Account {
    try check([
      "uid", "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled",
      "isAnonymous", "customClaims", "createdAt", "lastSignInAt", "providers",
    ])
    let createdAt = try time("createdAt") ?? Timestamp(milliseconds: 0)
    var account = Account(
      id: AccountID(try text("uid") ?? name), scope: Self.scope, createdAt: createdAt)
    account.email = try text("email").map { try EmailAddress($0) }
    account.emailVerified = try bool("emailVerified") ?? false
    guard account.email != nil || !account.emailVerified else {
      throw ExampleMismatch("\(name) has emailVerified without an email")
    }
    account.displayName = try text("displayName")
    account.photoURL = try text("photoURL")
    account.phoneNumber = try text("phoneNumber").map { try PhoneNumber($0) }
    account.disabled = try bool("disabled") ?? false
    account.isAnonymous = try bool("isAnonymous") ?? false
    if case .object(let members)? = JSONValue(table["customClaims"]) {
      account.customClaims = try CustomClaims(members)
    }
    account.lastSignInAt = try time("lastSignInAt")
    let providers = table["providers"].tableValue?.array.compactMap(\.stringValue) ?? []
    account.identities = providers.map { provider in
      Identity(
        key: IdentityKey(ProviderID(provider), subject: account.id.rawValue), origin: .credential,
        linkedAt: createdAt)
    }
    return account
  }

  /// The identity of an event.
  func subject(at now: Timestamp) throws -> ChangeEvent.Subject {
    try check([
      "providerID", "subject", "email", "emailVerified", "displayName", "photoURL", "phoneNumber",
      "origin", "linkedAt", "claims",
    ])
    let identity = Identity(
      key: IdentityKey(
        ProviderID(try text("providerID") ?? "google.com"), subject: try text("subject") ?? "1"),
      profile: IdentityProfile(
        email: try text("email"), displayName: try text("displayName"),
        photoURL: try text("photoURL"), phoneNumber: try text("phoneNumber")),
      emailVerified: try bool("emailVerified") ?? false,
      origin: try text("origin").flatMap(Identity.Origin.init) ?? .credential,
      linkedAt: try time("linkedAt") ?? now)
    return ChangeEvent.Subject(identity, claims: JSONValue(table["claims"]) ?? .null)
  }

  /// The session of an event, which began a minute before unless the example says otherwise.
  func session(at now: Timestamp) throws -> ChangeEvent.Session {
    try check(["signedInAt", "secondFactor", "providerID"])
    return ChangeEvent.Session(
      signedInAt: try time("signedInAt") ?? now.adding(seconds: -60),
      secondFactor: try bool("secondFactor") ?? false,
      provider: try text("providerID").map { ProviderID($0) })
  }
}
