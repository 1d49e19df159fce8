import AuthCore
import LuaPlugins
import LuaRuntime

/// The `accounts` library: finds and creates accounts.
struct AccountsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var accounts = LuaLibrary(name: "accounts")
    accounts.function("get", get)
    accounts.function("find", find)
    accounts.function("each", each)
    accounts.function("create", create)
    accounts.function("count") { call in
      guard call.count == 0 else {
        throw call.argumentError(1, "nothing: it counts all accounts; accounts.each filters")
      }
      return [.integer(Int64(try session.wait { try await $0.accountCount(in: $1) }))]
    }
    try state.set("accounts", to: state.library(accounts))
  }

  private func get(_ call: LuaCall) throws -> [LuaValue] {
    guard call.typeName(1) == "string" else {
      return [session.object(try session.account(call, 1))]
    }
    let key = try call.string(1, "key")
    let account = try session.wait { try await $0.account(matching: key, in: $1) }
    return [account.map(session.object) ?? .nil]
  }

  /// The default number of accounts that `find` returns; `each` visits all.
  private static let defaultLimit = 1000

  private func find(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(1, AccountFilter.names, all: "accounts")
    let filter = try AccountFilter(table)
    let asked = try table.limit()
    let limit = asked ?? Self.defaultLimit
    // One account more than the limit shows whether the list is cut.
    let found = try session.wait {
      try await $0.accounts(matching: filter, limit: limit + 1, in: $1)
    }
    var list = CutList(found.prefix(limit).map(session.object))
    if asked == nil && found.count > limit {
      list.cut = "These are the first \(limit); give a limit, or use accounts.each."
    }
    return list.results
  }

  private func each(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(1, AccountFilter.names, all: "accounts")
    let loop = AccountLoop(
      session: session, filter: try AccountFilter(table), limit: try table.limit())
    let next = call.state.function(named: "next") { _ in
      [try loop.next().map { session.object($0.account, read: $0.reading) } ?? .nil]
    }
    return [.function(next)]
  }

  private func create(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.optionalTable(1, "fields") ?? LuaTable()
    let fields = AccountChanges.names + ["uid"]
    try table.refuseUnknown(fields + WriteOptions.names)
    let options = try WriteOptions(merging: table, fields: fields, call, 2)
    try table.refuseNoneOf(
      fields, "accounts.create describes no account.",
      remedy: "Name a field, such as email, or uid for an account without a way in.")
    let changes = try AccountChanges(table).profile
    let uid = try table.text("uid").map { AccountID($0) }
    let receipt = try session.change(options) { graph, caller in
      try await graph.create(changes, uid: uid, by: caller)
    }
    if receipt.dryRun { return [.object(LuaObject(type: "receipt", value: receipt))] }
    session.made(receipt.accountID)
    return [session.object(try session.account(matching: receipt.accountID.rawValue))]
  }
}

extension AccountFilter {
  fileprivate static let names = [
    "email", "phoneNumber", "providerID", "subject", "displayName", "disabled", "limit",
  ]

  /// Reads the conditions of `find` and `each`; throws if a field has the wrong type.
  fileprivate init(_ table: LuaTable) throws(AuthError) {
    self.init()
    email = try table.text("email").map { text throws(AuthError) in try EmailAddress(text) }
    phoneNumber = try table.text("phoneNumber").map { text throws(AuthError) in
      try PhoneNumber(normalizing: text)
    }
    providerID = try table.text("providerID").map { ProviderID($0) }
    subject = try table.text("subject")
    displayName = try table.text("displayName")
    disabled = try table.flag("disabled")
  }
}

extension WriteOptions {
  /// Reads options that are among other fields of one table, or in a separate table after it.
  init(
    merging table: LuaTable, fields: [String], _ call: LuaCall, _ index: Int,
    allowing names: [String] = names
  ) throws {
    var options = LuaTable(fields: table.fields.filter { !fields.contains($0.key) })
    let own = try call.options(index)
    try own.refuseUnknown(names)
    options.fields.merge(own.fields) { _, own in own }
    try self.init(options, allowing: names)
  }
}
