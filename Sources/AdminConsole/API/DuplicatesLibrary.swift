import AuthCore
import LuaRuntime

/// `duplicates`: accounts that have something in common.
struct DuplicatesLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var duplicates = LuaNamespace(name: "duplicates")
    duplicates.function("find", find)
    try state.set("duplicates", to: state.namespace(duplicates))
  }

  private static let pageSize = 500

  private func find(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.filter(1, ["by", "limit"], all: "accounts with one e-mail address")
    let name = try options.text("by") ?? DuplicateKey.email.rawValue
    guard let key = DuplicateKey(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "Nothing is found by \"\(name)\".", field: "by",
        remedy: suggestion(for: name, among: DuplicateKey.allCases.map(\.rawValue)))
    }
    let limit = try options.count("limit") ?? .max
    var groups: [LuaValue] = []
    var last: String?
    while groups.count < limit {
      let after = last
      let count = min(Self.pageSize, limit - groups.count)
      let page = try session.wait { graph, scope in
        let groups = try await graph.duplicates(by: key, after: after, limit: count, in: scope)
        var accounts: [(key: String, accounts: [Account])] = []
        for group in groups {
          var members: [Account] = []
          for id in group.accounts {
            if let account = try await graph.account(id, in: scope) { members.append(account) }
          }
          accounts.append((group.key, members))
        }
        return accounts
      }
      groups += page.map { group in
        [
          "key": .string(group.key),
          "accounts": .table(LuaTable(array: group.accounts.map(session.object))),
        ]
      }
      guard page.count == count else { break }
      last = page.last?.key
    }
    return [.table(LuaTable(array: groups))]
  }
}
