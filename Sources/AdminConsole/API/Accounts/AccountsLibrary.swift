import AuthCore
import LuaPlugins
import LuaRuntime

/// The `accounts` library: finds and creates accounts.
struct AccountsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var accounts = LuaLibrary(name: "accounts")
    accounts.function("get", get)
    accounts.function("search", search)
    accounts.function("find", find)
    accounts.function("each", each)
    accounts.function("create", create)
    accounts.function("count", count)
    DeletionLibrary(session: session).install(in: &accounts)
    TransferLibrary(session: session).install(in: &accounts)
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

  /// The default number of accounts that `search` returns.
  private static let firstScreen = 25

  private func search(_ call: LuaCall) throws -> [LuaValue] {
    guard call.typeName(1) == "string" else {
      throw call.argumentError(
        1, "a part of an address, a name, a number or a uid: accounts.search \"haas\"", name: "text"
      )
    }
    let search = try TextSearch(try call.string(1, "text"))
    let options = try call.optionalTable(2, "options") ?? LuaTable()
    try options.refuseUnknown(["limit"])
    let asked = try options.limit()
    let limit = asked ?? Self.firstScreen
    // One account more than the limit shows whether the list is cut.
    let found = try session.wait {
      try await $0.accounts(found: search, limit: limit + 1, in: $1)
    }
    var list = CutList(found.prefix(limit).map(session.object))
    if asked == nil && found.count > limit {
      list.cut =
        "These are the first \(limit); type more of it, or give a limit: "
        + "accounts.search(\(LuaText.quoted(search.text)), { limit = \(limit * 8) })."
    }
    return list.results(of: session)
  }

  private func find(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(
      1, AccountFilter.names + ["order", "limit", "after"], all: "accounts")
    let filter = try AccountFilter(table, session)
    let asked = try table.limit()
    let limit = asked ?? Self.defaultLimit
    let after = try table.accountID("after")
    // One account more than the limit shows whether the list is cut.
    let found = try session.wait {
      try await $0.accounts(matching: filter, after: after, limit: limit + 1, in: $1)
    }
    var list = CutList(found.prefix(limit).map(session.object))
    if asked == nil && found.count > limit {
      list.cut = "These are the first \(limit); give a limit, or use accounts.each."
    }
    return list.results(of: session)
  }

  private func each(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(1, AccountFilter.names + ["limit"], all: "accounts")
    let loop = AccountLoop(
      session: session, filter: try AccountFilter(table, session), limit: try table.limit())
    let next = call.state.function(named: "next") { _ in
      [try loop.next().map { session.object($0.account, read: $0.reading) } ?? .nil]
    }
    return [.function(next)]
  }

  private func count(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(1, AccountFilter.names, all: "accounts")
    let filter = try AccountFilter(table, session)
    let count = try session.wait { try await $0.accountCount(matching: filter, in: $1) }
    return [.integer(Int64(count))]
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
