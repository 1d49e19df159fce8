import AuthCore
import LuaRuntime
import TerminalOutput

/// The `graph` library: shows an account with everything that belongs to it, as a tree or for Graphviz.
struct GraphLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var type = LuaObjectType(name: "graph", fields: ["account", "aliases"])
    type.get = { _, object, field in
      guard let view = object.value as? GraphView else { return nil }
      switch field {
      case "account": return .values([session.object(view.account, read: .outdated)])
      case "aliases": return .values([.strings(view.aliases.map(\.id.rawValue))])
      default: return nil
      }
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? "graph" }
    state.define(type)
    var graph = LuaLibrary(name: "graph")
    graph.function("dot") { call in
      [.string(try view(try session.account(call, 1, "key")).dot)]
    }
    graph.function("tree") { call in [try object(try session.account(call, 1, "key"))] }
    try state.set("graph", to: state.library(graph))
  }

  func object(_ account: Account) throws -> LuaValue {
    .object(LuaObject(type: "graph", value: try view(account)))
  }

  private func view(_ account: Account) throws -> GraphView {
    try session.wait { graph, scope in
      var aliases: [GraphView.Alias] = []
      var next = [account.id]
      while let id = next.popLast() {
        for alias in try await graph.aliases(of: id, in: scope) {
          aliases.append(GraphView.Alias(id: alias, survivor: id))
          next.append(alias)
        }
      }
      return GraphView(account: account, aliases: aliases)
    }
  }
}

/// The parts of an account: identities, addresses, second factors and absorbed uids.
struct GraphView: Sendable {
  struct Alias: Sendable {
    let id: AccountID
    let survivor: AccountID
  }

  let account: Account
  let aliases: [Alias]

  var tree: TreeText.Node {
    var root = TreeText.Node(Cell(account.shortText, style: .heading))
    root.append(
      TreeText.Node(
        "identities",
        account.identities.map { TreeText.Node(Cell($0.shortText), replaced($0.predecessors)) }))
    if let email = account.email {
      let state = account.emailVerified ? "verified" : "unverified"
      root.append(TreeText.Node(Cell("e-mail \(email.text) (\(state))")))
    }
    if let number = account.phoneNumber { root.append(TreeText.Node(Cell("phone \(number.text)"))) }
    if !account.secondFactors.isEmpty {
      root.append(
        TreeText.Node(
          "second factors",
          account.secondFactors.map { TreeText.Node(Cell("\($0.factorID) \($0.id)")) }))
    }
    let absorbed = absorbed(by: account.id)
    if !absorbed.isEmpty { root.append(TreeText.Node("absorbed", absorbed)) }
    return root
  }

  private func replaced(_ predecessors: [Predecessor]) -> [TreeText.Node] {
    predecessors.map { old in
      TreeText.Node(
        Cell("replaces \(old.identity.key), which signs in until \(old.until.text)"),
        replaced(old.identity.predecessors))
    }
  }

  private func absorbed(by id: AccountID) -> [TreeText.Node] {
    aliases.filter { $0.survivor == id }.map { alias in
      TreeText.Node(Cell(alias.id.rawValue), absorbed(by: alias.id))
    }
  }

  /// The view as a directed graph in the DOT language.
  var dot: String {
    var lines = ["digraph account {", "  rankdir=LR;"]
    let root = quoted(account.id.rawValue)
    lines.append("  \(root) [shape=box];")
    for identity in account.identities {
      lines.append("  \(root) -> \(quoted(identity.key.description)) [label=\"identity\"];")
    }
    if let email = account.email {
      let label = account.emailVerified ? "verified e-mail" : "e-mail"
      lines.append("  \(root) -> \(quoted(email.text)) [label=\"\(label)\"];")
    }
    if let number = account.phoneNumber {
      lines.append("  \(root) -> \(quoted(number.text)) [label=\"phone\"];")
    }
    for factor in account.secondFactors {
      lines.append("  \(root) -> \(quoted(factor.id)) [label=\"second factor\"];")
    }
    for alias in aliases {
      lines.append(
        "  \(quoted(alias.id.rawValue)) -> \(quoted(alias.survivor.rawValue))"
          + " [label=\"absorbed by\", style=dashed];")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
