import AuthCore
import LuaRuntime

/// The `duplicates` library: finds accounts that have something in common.
struct DuplicatesLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var duplicates = LuaLibrary(name: "duplicates")
    duplicates.function("find", find)
    try state.set("duplicates", to: state.library(duplicates))
  }

  private struct Group: Sendable {
    let key: String
    var accounts: [Account] = []
  }

  private func find(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.filter(1, ["by", "limit"], all: "accounts with one e-mail address")
    let key = try DuplicateKey(options)
    let groups = try session.whole(limit: try options.limit()) { graph, scope, last, count in
      try await Self.groups(by: key, after: last?.key, limit: count, of: graph, in: scope)
    } as: { (group: Group) in
      [
        "key": .string(group.key),
        "accounts": .table(LuaTable(array: group.accounts.map(session.object))),
      ]
    }
    return [.table(LuaTable(array: groups))]
  }

  private static func groups(
    by key: DuplicateKey, after: String?, limit: Int, of graph: AccountGraph, in scope: Scope
  ) async throws -> [Group] {
    var groups: [Group] = []
    for found in try await graph.duplicates(by: key, after: after, limit: limit, in: scope) {
      var group = Group(key: found.key)
      for id in found.accounts {
        // If the account was merged meanwhile, its survivor is already listed.
        if let account = try await graph.account(id, in: scope), account.id == id {
          group.accounts.append(account)
        }
      }
      groups.append(group)
    }
    return groups
  }
}
