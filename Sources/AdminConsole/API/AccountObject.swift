import AuthCore
import LuaPlugins
import LuaRuntime

/// `account`: one account's fields and everything that can be done to it.
struct AccountObject {
  let session: ConsoleSession

  func install(in state: LuaState) {
    MultiFactorObject(session: session).install(in: state)
    var type = LuaObjectType(
      name: "account", fields: AccountField.allCases.map(\.rawValue),
      fieldTypes: ["multiFactor": "multiFactor"])
    type.get = { _, object, name in
      guard let field = AccountField(rawValue: name), let handle = object.value as? AccountHandle
      else { return nil }
      if field == .multiFactor { return .values([MultiFactorObject.object(handle)]) }
      return .values([field.value(of: try handle.account(session))])
    }
    type.refusesSet = "an account is changed with account:update { … }, which the audit keeps"
    type.describe = { ($0.value as? AccountHandle)?.current(session).shortText ?? "account" }
    type.equals = { a, b in
      (a.value as? AccountHandle)?.id == (b.value as? AccountHandle)?.id
    }
    type.method("link", link)
    type.method("unlink", unlink)
    type.method("update", update)
    type.method("disable") { try setDisabled(true, $0) }
    type.method("enable") { try setDisabled(false, $0) }
    type.method("delete") { call in
      try write(call) { graph, id, caller in
        let receipt = try await graph.delete(id, by: caller)
        // Many stores have no server that does it.
        if !caller.dryRun { _ = try? await graph.sweepMerges() }
        return receipt
      }
    }
    type.method("revokeSessions") { call in
      try write(call) { graph, id, caller in try await graph.revokeSessions(of: id, by: caller) }
    }
    type.method("history", history)
    type.method("graph") { call in
      [try GraphLibrary(session: session).object(try session.account(call, 1))]
    }
    state.define(type)
  }

  private func link(_ call: LuaCall) throws -> [LuaValue] {
    let id = try session.account(call, 1).id
    if call.typeName(2) == "table" { return try assert(call, id) }
    guard !call.isNil(2) else {
      throw call.argumentError(
        2, "a credential, or { providerID = …, subject = … }", name: "identity")
    }
    let credential = try call.object(2, as: AuthCredential.self, type: "credential")
    let options = try WriteOptions(call, 3)
    return [
      try session.resolvable {
        try receipt(options) { graph, caller in
          try await graph.link(credential, to: id, by: caller)
        }
      }
    ]
  }

  private static let assertionFields = [
    "providerID", "subject", "issuer", "email", "displayName", "photoURL", "phoneNumber",
  ]

  /// Links on an admin's word.
  private func assert(_ call: LuaCall, _ id: AccountID) throws -> [LuaValue] {
    let table = try call.table(2, "identity")
    try table.refuseUnknown(Self.assertionFields + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: Self.assertionFields, call, 3)
    guard let provider = try table.text("providerID"), let subject = try table.text("subject")
    else {
      let field = try table.text("providerID") == nil ? "providerID" : "subject"
      throw AuthError(
        .invalidArgument, "An assertion needs \(field).", field: field,
        remedy: "Write account:link { providerID = \"github.com\", subject = \"583231\" }.")
    }
    let key = IdentityKey(
      ProviderID(provider), issuer: try table.text("issuer") ?? "", subject: subject)
    let profile = IdentityProfile(
      email: try table.text("email").map { try EmailAddress($0).text },
      displayName: try table.text("displayName"),
      photoURL: try table.text("photoURL"), phoneNumber: try table.text("phoneNumber"))
    return [
      try receipt(options) { graph, caller in
        try await graph.assert(key, profile: profile, on: id, by: caller)
      }
    ]
  }

  private func unlink(_ call: LuaCall) throws -> [LuaValue] {
    let id = try session.account(call, 1).id
    let provider = ProviderID(try call.string(2, "providerID"))
    let table = try call.optionalTable(3, "options") ?? LuaTable()
    try table.refuseUnknown(WriteOptions.namesWithForce + ["subject"])
    let options = try WriteOptions(
      LuaTable(fields: table.fields.filter { $0.key != "subject" }),
      allowing: WriteOptions.namesWithForce)
    let subject = try table.text("subject")
    return [
      try receipt(options) { graph, caller in
        try await graph.unlink(
          provider, subject: subject, from: id, force: options.force, by: caller)
      }
    ]
  }

  private func update(_ call: LuaCall) throws -> [LuaValue] {
    let id = try session.account(call, 1).id
    let table = try call.table(2, "changes")
    try table.refuseUnknown(AccountChanges.names + WriteOptions.namesWithForce)
    let options = try WriteOptions(
      merging: table, fields: AccountChanges.names, call, 3,
      allowing: WriteOptions.namesWithForce)
    try table.refuseNoneOf(
      AccountChanges.names, "update {} changes nothing.",
      remedy: "Name a field: update { displayName = … }. json.null clears one.")
    let changes = try AccountChanges(table).profile
    return [
      try receipt(options) { graph, caller in
        try await graph.update(id, changes, force: options.force, by: caller)
      }
    ]
  }

  private func setDisabled(_ disabled: Bool, _ call: LuaCall) throws -> [LuaValue] {
    try write(call) { graph, id, caller in
      try await graph.setDisabled(disabled, id, by: caller)
    }
  }

  private func history(_ call: LuaCall) throws -> [LuaValue] {
    let id = try session.account(call, 1).id
    let limit = Int(try call.optionalInteger(2, "limit") ?? 100)
    let events = try session.wait { try await $0.history(of: id, limit: limit, in: $1) }
    return [.table(LuaTable(array: events.map(\.luaObject)))]
  }

  private func write(
    _ call: LuaCall,
    _ body: @escaping @Sendable (AccountGraph, AccountID, Caller) async throws -> Receipt
  ) throws -> [LuaValue] {
    // The uid that the script holds: one that was absorbed since is not its survivor.
    let id = try call.object(1, as: AccountHandle.self, type: "account").id
    return [
      try receipt(WriteOptions(call, 2)) { graph, caller in try await body(graph, id, caller) }
    ]
  }

  private func receipt(
    _ options: WriteOptions,
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Receipt
  ) throws -> LuaValue {
    .object(LuaObject(type: "receipt", value: try session.change(options, body)))
  }
}
