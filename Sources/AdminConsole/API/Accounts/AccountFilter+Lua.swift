import AuthCore
import LuaPlugins
import LuaRuntime

extension AccountFilter {
  /// The conditions of `accounts.find`, `each` and `count`.
  static let names = [
    "email", "phoneNumber", "providerID", "subject", "providers", "displayName", "disabled",
    "verified", "anonymous", "claims", "createdSince", "createdBefore", "seenSince", "notSeenSince",
  ]

  /// Reads the conditions, and the order; throws if a field has the wrong type.
  init(_ table: LuaTable, _ session: ConsoleSession) throws(AuthError) {
    self.init()
    email = try table.text("email").map { text throws(AuthError) in try Self.address(text) }
    phoneNumber = try table.text("phoneNumber").map { text throws(AuthError) in
      try PhoneNumber(normalizing: text)
    }
    providerID = try table.text("providerID").map { ProviderID($0) }
    subject = try table.text("subject")
    displayName = try table.text("displayName")
    disabled = try table.flag("disabled")
    emailVerified = try table.flag("verified")
    isAnonymous = try table.flag("anonymous")
    createdSince = try table.time("createdSince", session)
    createdBefore = try table.time("createdBefore", session)
    seenSince = try table.time("seenSince", session)
    notSeenSince = try table.time("notSeenSince", session)
    try readProviders(table)
    try readClaims(table)
    if let name = try table.text("order") {
      guard let known = Order(rawValue: name) else {
        throw AuthError(
          .invalidArgument, "There is no order \"\(name)\".", field: "order",
          remedy: suggestion(for: name, among: Order.allCases.map(\.rawValue)))
      }
      order = known
    }
  }

  /// Reads a whole address; a pattern or a part of one is what `accounts.search` is for.
  private static func address(_ text: String) throws(AuthError) -> EmailAddress {
    let parts = text.split(separator: "*", omittingEmptySubsequences: true)
    guard !text.contains("*"), text.contains("@"), !text.hasPrefix("@"), !text.hasPrefix("%") else {
      let part = parts.first.map(String.init) ?? "haas"
      throw AuthError(
        .invalidEmail, "email is a whole address, not a part or a pattern.", field: "email",
        remedy: "Search for a part: accounts.search \(LuaText.quoted(part)).")
    }
    return try EmailAddress(text)
  }

  private mutating func readProviders(_ table: LuaTable) throws(AuthError) {
    let value = table["providers"]
    guard !value.isNil else { return }
    let expected = "a list of providers, or { all = { … }, any = { … }, none = { … } }"
    guard let wanted = value.tableValue, !wanted.isEmpty,
      wanted.array.isEmpty || wanted.fields.isEmpty
    else { throw table.wrongType("providers", expected, value) }
    func set(_ values: [LuaValue]) throws(AuthError) -> Set<ProviderID> {
      var set: Set<ProviderID> = []
      for value in values {
        guard let id = value.stringValue, !id.allSatisfy(\.isWhitespace) else {
          throw table.wrongType("providers", expected, value)
        }
        set.insert(ProviderID(id))
      }
      return set
    }
    guard wanted.array.isEmpty else {
      allProviders = try set(wanted.array)
      return
    }
    try wanted.refuseUnknown(["all", "any", "none"])
    for name in ["all", "any", "none"] where !wanted[name].isNil {
      if try wanted.list(name).isEmpty { throw table.wrongType("providers", expected, value) }
    }
    allProviders = try set(try wanted.list("all"))
    anyProviders = try set(try wanted.list("any"))
    noProviders = try set(try wanted.list("none"))
  }

  /// Reads the name of a claim, a list of names, or names with values.
  private mutating func readClaims(_ table: LuaTable) throws(AuthError) {
    let value = table["claims"]
    let expected = "a claim's name, a list of names, or { name = value }"
    switch value {
    case .nil: return
    case .string(let name): claims = [name: nil]
    case .table(let wanted) where !wanted.isEmpty:
      for name in wanted.array {
        guard let name = name.stringValue, !name.isEmpty else {
          throw table.wrongType("claims", expected, name)
        }
        claims[name] = .some(nil)
      }
      for (name, wanted) in wanted.fields {
        guard let value = JSONValue(wanted) else {
          throw table.wrongType("claims", expected, wanted)
        }
        claims[name] = .some(value)
      }
    default: throw table.wrongType("claims", expected, value)
    }
  }
}

extension LuaTable {
  /// Returns a time in a person's words, or in milliseconds since 1970 as `time.now()` gives it; nil if absent.
  func time(_ name: String, _ session: ConsoleSession) throws(AuthError) -> Timestamp? {
    if let milliseconds = self[name].integerValue { return Timestamp(milliseconds: milliseconds) }
    guard !self[name].isNil else { return nil }
    guard let text = self[name].stringValue else {
      throw AuthError(
        .invalidArgument, "\(name) is a time, not a \(self[name].typeName).", field: name,
        remedy: "Write \(TimePhrase.forms).")
    }
    return try TimePhrase.time(
      text, field: name, now: session.graph.clock(), in: session.timeZone)
  }

  /// Returns the uid of an account, given as an account or as text; nil if absent.
  func accountID(_ name: String) throws(AuthError) -> AccountID? {
    if let handle = self[name].objectValue?.value as? AccountHandle { return handle.id }
    guard !self[name].isNil else { return nil }
    guard let text = self[name].stringValue else {
      throw wrongType(name, "an account or its uid", self[name])
    }
    return AccountID(text)
  }
}

/// Texts as Lua source, for remedies that can be copied.
enum LuaText {
  static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
