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
  func check(_ names: [String]) throws { try ExampleMismatch.check(table, names, name) }

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
    try Timestamp(example: table[field], "\(name).\(field)")
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

  /// An account in the form of policies' examples; nil if it is missing.
  func account(_ field: String) throws -> Account? {
    guard !table[field].isNil else { return nil }
    return try ExampleAccount.account(field, table[field], in: Self.scope)
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

  /// The client of an event.
  func client() throws -> ClientDescription {
    try check(["address", "userAgent", "locale"])
    return ClientDescription(
      address: try text("address"), userAgent: try text("userAgent"), locale: try text("locale"))
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
