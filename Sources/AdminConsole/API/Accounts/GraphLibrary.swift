import AuthCore
import Foundation
import LuaRuntime
import TerminalOutput

/// The `graph` library: shows an account with everything that belongs to it, as a tree or for Graphviz.
struct GraphLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var type = LuaObjectType(name: "graph", fields: ["account", "aliases", "sharedWith"])
    type.get = { _, object, field in
      guard let view = object.value as? GraphView else { return nil }
      switch field {
      case "account": return .values([session.object(view.account, read: .outdated)])
      case "aliases": return .values([.strings(view.aliases.map(\.id.rawValue))])
      case "sharedWith": return .values([.strings(view.sharedWith)])
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
      func sharers(_ filter: AccountFilter) async throws -> [GraphView.Sharer] {
        try await graph.accounts(matching: filter, limit: Self.mostSharers, in: scope)
          .filter { $0.id != account.id }.map(GraphView.Sharer.init)
      }
      var (byEmail, byPhone) = (AccountFilter(), AccountFilter())
      (byEmail.email, byPhone.phoneNumber) = (account.email, account.phoneNumber)
      return GraphView(
        account: account, aliases: aliases,
        sharers: (
          account.email == nil ? [] : try await sharers(byEmail),
          account.phoneNumber == nil ? [] : try await sharers(byPhone)
        ))
    }
  }

  /// The number of accounts with one address that are looked at.
  private static let mostSharers = 50
}

/// The parts of an account: identities, addresses, second factors and absorbed uids.
struct GraphView: Sendable, Drawing {
  /// Another account that has the same address or number.
  struct Sharer: Sendable {
    let id: AccountID
    let hasVerifiedEmail: Bool
    let isDisabled: Bool

    init(_ account: Account) {
      (id, hasVerifiedEmail, isDisabled) = (account.id, account.emailVerified, account.disabled)
    }

    fileprivate func node(of email: EmailAddress?) -> TreeText.Node {
      let state = email == nil ? nil : hasVerifiedEmail ? "verified" : "unverified"
      let states = [state, isDisabled ? "disabled" : nil].compactMap(\.self)
      let note = states.isEmpty ? "" : " (\(states.joined(separator: ", ")))"
      return TreeText.Node(Cell("shared with account \(id)\(note)", style: .notice))
    }
  }

  struct Alias: Sendable {
    let id: AccountID
    let survivor: AccountID
  }

  let account: Account
  let aliases: [Alias]
  /// Other accounts with the account's address, and with its number.
  let sharers: (email: [Sharer], phone: [Sharer])

  func painted(for profile: TerminalProfile) -> PaintedText {
    TreeText(tree(in: profile.zone)).painted(for: profile)
  }

  private func tree(in zone: TimeZone) -> TreeText.Node {
    var root = TreeText.Node(Cell(account.shortText, style: .heading))
    root.append(
      TreeText.Node(
        "identities",
        account.identities.map {
          TreeText.Node(Cell($0.shortText), replaced($0.predecessors, zone))
        }))
    if let email = account.email {
      let state = account.emailVerified ? "verified" : "unverified"
      root.append(
        TreeText.Node(
          Cell("e-mail \(email.text) (\(state))"),
          sharers.email.map { $0.node(of: email) }))
    }
    if let number = account.phoneNumber {
      root.append(
        TreeText.Node(
          Cell("phone \(number.text)"),
          sharers.phone.map { $0.node(of: nil) }))
    }
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

  private func replaced(_ predecessors: [Predecessor], _ zone: TimeZone) -> [TreeText.Node] {
    predecessors.map { old in
      let until = old.until.textWithZone(zone)
      return TreeText.Node(
        Cell("replaces \(old.identity.key), which signs in until \(until)"),
        replaced(old.identity.predecessors, zone))
    }
  }

  private func absorbed(by id: AccountID) -> [TreeText.Node] {
    aliases.filter { $0.survivor == id }.map { alias in
      TreeText.Node(Cell(alias.id.rawValue), absorbed(by: alias.id))
    }
  }

  /// The uids of the other accounts with the same address or number.
  var sharedWith: [String] {
    Set((sharers.email + sharers.phone).map(\.id.rawValue)).sorted()
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
      let holders =
        [(account.id, account.emailVerified)] + sharers.email.map { ($0.id, $0.hasVerifiedEmail) }
      for (id, isVerified) in holders {
        let label = isVerified ? "verified e-mail" : "e-mail"
        lines.append(
          "  \(quoted(id.rawValue)) -> \(quoted(email.text)) [label=\"\(label)\"];")
      }
    }
    if let number = account.phoneNumber {
      for id in [account.id] + sharers.phone.map(\.id) {
        lines.append("  \(quoted(id.rawValue)) -> \(quoted(number.text)) [label=\"phone\"];")
      }
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
