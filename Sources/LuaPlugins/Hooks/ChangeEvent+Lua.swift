import AuthCore
import LuaRuntime

extension ChangeEvent {
  static let luaFields = LuaFieldNames(
    [
      "type", "project", "tenant", "account", "other", "identity", "caller", "session", "reason",
      "proof", "time", "client",
    ], of: "an event")
  private static let sessionFields = LuaFieldNames(
    ["signedInAt", "secondFactor", "providerID"], of: "an event's session")
  private static let proofFields = LuaFieldNames(
    ["current", "existing", "both"], of: "an event's proof")
  private static let clientFields = LuaFieldNames(
    ["address", "userAgent", "locale"], of: "an event's client")

  /// Writes the argument of a function; missing values are nil.
  func write(to table: LuaTableWriter) {
    table.set("type", kind.rawValue)
    table.set("project", scope.project)
    table.set("tenant", scope.tenant)
    table.set("account", record: AccountRecord(account))
    if let other { table.set("other", record: AccountRecord(other)) }
    if let subject {
      table.set("identity", fields: 12, knowing: Subject.luaFields) { subject.write(to: $0) }
    }
    table.set("caller", caller.rawValue)
    if let session {
      table.set("session", fields: 3, knowing: Self.sessionFields) { table in
        table.set("signedInAt", session.signedInAt.milliseconds)
        table.set("secondFactor", session.secondFactor)
        table.set("providerID", session.provider?.rawValue)
      }
    }
    table.set("reason", reason)
    if kind == .onConflict {
      table.set("proof", fields: 3, knowing: Self.proofFields) { table in
        table.set("current", true)
        table.set("existing", isProven)
        table.set("both", isProven)
      }
    }
    table.set("time", now.milliseconds)
    table.set("client", fields: 3, knowing: Self.clientFields) { table in
      table.set("address", client.address)
      table.set("userAgent", client.userAgent)
      table.set("locale", client.locale)
    }
  }

  /// The seed of `math.random`: a repeated event is answered in the same way.
  var seed: UInt64 {
    RandomSeed(
      kind.rawValue, account.id.rawValue, other?.id.rawValue ?? "",
      subject?.identity.key.description ?? "", String(now.milliseconds)
    ).value
  }
}

extension ChangeEvent.Subject {
  fileprivate static let luaFields = LuaFieldNames(
    [
      "providerID", "subject", "issuer", "email", "emailVerified", "displayName", "photoURL",
      "phoneNumber", "isPrivateEmail", "origin", "linkedAt", "claims",
    ], of: "an event's identity")

  fileprivate func write(to table: LuaTableWriter) {
    let (key, profile) = (identity.key, identity.profile)
    table.set("providerID", key.provider.rawValue)
    table.set("subject", key.subject)
    if !key.issuer.isEmpty { table.set("issuer", key.issuer) }
    table.set("email", profile.email ?? (key.provider == .password ? key.subject : nil))
    table.set("emailVerified", identity.emailVerified)
    table.set("displayName", profile.displayName)
    table.set("photoURL", profile.photoURL)
    table.set("phoneNumber", profile.phoneNumber ?? (key.provider == .phone ? key.subject : nil))
    if profile.hasRelayAddress { table.set("isPrivateEmail", true) }
    table.set("origin", identity.origin.rawValue)
    table.set("linkedAt", identity.linkedAt.milliseconds)
    // A script can read `event.identity.claims.groups` of a provider that says nothing.
    let claims = claims.luaWithoutEmpty
    table.set("claims", value: claims.tableValue == nil ? .table(LuaTable()) : claims)
  }
}
