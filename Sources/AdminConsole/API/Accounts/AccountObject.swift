import AuthCore
import LuaPlugins
import LuaRuntime

/// The `account` object: one account's fields and the operations on it.
struct AccountObject {
  let session: ConsoleSession

  func install(in state: LuaState) {
    MultiFactorObject(session: session).install(in: state)
    var type = LuaObjectType(
      name: "account",
      fields: AccountField.allCases.map(\.rawValue) + GoneField.allCases.map(\.rawValue),
      fieldTypes: ["multiFactor": "multiFactor"])
    type.get = { _, object, name in
      guard let handle = object.value as? AccountHandle else { return nil }
      if let field = GoneField(rawValue: name) {
        return .values([field.value(of: try handle.standing(session))])
      }
      switch AccountField(rawValue: name) {
      case nil: return nil
      // The uid that the script holds, even if the account was merged or deleted.
      case .uid: return .values([.string(handle.id.rawValue)])
      case .multiFactor: return .values([MultiFactorObject.object(handle)])
      case .some(let field): return .values([field.value(of: try handle.account(session))])
      }
    }
    type.refusesSet = "an account is changed with account:update { … }, which the audit keeps"
    type.describe = { object in
      guard let handle = object.value as? AccountHandle else { return "account" }
      return handle.current(session).shortText(of: handle.id)
    }
    type.change("link", link)
    type.change("unlink", unlink)
    type.change("update", update)
    type.change("disable") { try setDisabled(true, $0) }
    type.change("enable") { try setDisabled(false, $0) }
    DeletionLibrary(session: session).install(in: &type)
    TransferLibrary(session: session).install(in: &type)
    type.change("revokeSessions") { call in
      try write(call) { graph, id, caller in try await graph.revokeSessions(of: id, by: caller) }
    }
    WaysInLibrary(session: session).install(in: &type)
    type.method("history", history)
    type.method("graph") { call in
      [try GraphLibrary(session: session).object(try session.account(call, 1))]
    }
    state.define(type)
    TransferLibrary(session: session).install(in: state)
  }

  private func link(_ call: LuaCall) throws -> [LuaValue] {
    let held = try held(call)
    if call.typeName(2) == "table" { return try assert(call, held) }
    guard !call.isNil(2) else {
      throw call.argumentError(
        2, "a credential, or { providerID = …, subject = … }", name: "identity")
    }
    let credential = try call.object(2, as: Credential.self, type: "credential")
    let options = try WriteOptions(call, 3)
    try session.cannotRehearse("account:link with a credential")
    return [
      try session.resolvable(holding: [held]) {
        try receipt(of: held, options) { graph, caller in
          try await graph.link(credential, to: held.id, by: caller)
        }
      }
    ]
  }

  /// The fields of an identity that an admin vouches for.
  static let assertionFields = [
    "providerID", "subject", "issuer", "email", "displayName", "photoURL", "phoneNumber",
  ]

  /// Links an identity that an admin vouches for.
  private func assert(_ call: LuaCall, _ held: HeldAccount) throws -> [LuaValue] {
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
      try receipt(of: held, options) { graph, caller in
        try await graph.assert(key, profile: profile, on: held.id, by: caller)
      }
    ]
  }

  private func unlink(_ call: LuaCall) throws -> [LuaValue] {
    let held = try held(call)
    let provider = ProviderID(try call.string(2, "providerID"))
    let table = try call.options(3)
    try table.refuseUnknown(WriteOptions.namesWithForce + ["subject"])
    let options = try WriteOptions(
      LuaTable(fields: table.fields.filter { $0.key != "subject" }),
      allowing: WriteOptions.namesWithForce)
    let subject = try table.text("subject")
    return [
      try receipt(of: held, options) { graph, caller in
        try await graph.unlink(
          provider, subject: subject, from: held.id, force: options.force, by: caller)
      }
    ]
  }

  private func update(_ call: LuaCall) throws -> [LuaValue] {
    let held = try held(call)
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
      try receipt(of: held, options) { graph, caller in
        try await graph.update(held.id, changes, force: options.force, by: caller)
      }
    ]
  }

  private func setDisabled(_ disabled: Bool, _ call: LuaCall) throws -> [LuaValue] {
    try write(call) { graph, id, caller in
      try await graph.setDisabled(disabled, id, by: caller)
    }
  }

  private func history(_ call: LuaCall) throws -> [LuaValue] {
    // Also for a deleted account: the audit keeps the history of its uid.
    let id = try held(call).id
    let events = try session.whole(limit: try call.limit(2)) { graph, scope, last, count in
      try await graph.history(of: id, before: last?.sequence, limit: count, in: scope)
    } as: { (event: AuditEvent) in
      event.luaObject
    }
    return [.table(LuaTable(array: events))]
  }

  private func write(
    _ call: LuaCall,
    _ body: @escaping @Sendable (AccountGraph, AccountID, Caller) async throws -> Receipt
  ) throws -> [LuaValue] {
    let held = try held(call)
    return [
      try receipt(of: held, WriteOptions(call, 2)) { graph, caller in
        try await body(graph, held.id, caller)
      }
    ]
  }

  /// The account that the script holds.
  ///
  /// An account that was merged since is not replaced by its survivor.
  private func held(_ call: LuaCall) throws -> HeldAccount {
    try call.object(1, as: AccountHandle.self, type: "account").held
  }

  private func receipt(
    of held: HeldAccount, _ options: WriteOptions,
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Receipt
  ) throws -> LuaValue {
    .object(
      LuaObject(type: "receipt", value: try session.change(options, holding: [held], body)))
  }
}

/// The fields with which an account object reports that its account was merged, deleted or replaced.
enum GoneField: String, CaseIterable {
  /// `"merged"`, `"deleted"` or `"replaced"`; nil while the account exists.
  case gone
  /// The uid of the account that absorbed it.
  case mergedInto

  func value(of standing: AccountStanding) -> LuaValue {
    switch (self, standing) {
    case (.gone, .merged): "merged"
    case (.gone, .deleted): "deleted"
    case (.gone, .replaced): "replaced"
    case (.mergedInto, .merged(let survivor)): .string(survivor.rawValue)
    default: .nil
    }
  }
}
