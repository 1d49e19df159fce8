import AuthCore
import FakeVendors
import Foundation
import LuaPlugins
import SQLiteStore
import Testing
import TestSupport

/// `authgraph policy replay` on a store that a policy decided conflicts in.
@Suite struct `Replaying policies` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String, _ body: String) -> String {
    """
    return policy {
      name = "\(name)", on = { "credential-already-in-use" },
      decide = function(conflict) \(body) end,
    }
    """
  }

  /// Links the identity of another account, and returns the event's ID.
  private func decide(by policy: String) async throws -> String {
    let provider = FakeProvider(id: ProviderID("fake.example"))
    let store = try SQLiteStore(path: folder.store)
    let graph = AccountGraph(
      store: store, providers: ProviderRegistry([provider]), policies: LuaPolicyCompiler())
    let scope = Scope(project: "default")
    _ = try await graph.changeSettings(
      by: Caller(scope: scope, authority: .admin("ada"), reason: "test")
    ) {
      $0.mergePolicy = PolicySource(name: "old.lua", text: policy)
      $0.identitiesPerProvider = .many
    }
    let anyone = Caller(scope: scope, authority: .anyone)
    let taken = try provider.credential(subject: "taken", displayName: "Grace Hopper")
    _ = try await graph.signIn(taken, by: anyone)
    let current = try await graph.signIn(
      provider.credential(subject: "own", displayName: "Ada Lovelace"), by: anyone
    ).account
    let session = Caller(
      scope: scope, authority: .session(current.id, signedInAt: .now(), secondFactor: false))
    let id = try await graph.link(taken, to: current.id, by: session).id
    try store.close()
    return id
  }

  private func replay(_ file: String, _ more: String...) throws -> Program.Outcome {
    try Program.run(
      ["policy", "replay", file, "--store", "sqlite:\(folder.store)"] + more, in: folder)
  }

  @Test func `a replay prints what differs side by side, for people and for scripts`() async throws
  {
    let merging = "return merge { into = conflict.existing, from = conflict.current }"
    let id = try await decide(by: text("old", merging))
    let same = try folder.write("same.lua", text("same", merging))
    let other = try folder.write("other.lua", text("other", "return refuse \"not now\""))

    let all = try replay(same, "--since", "30 days ago")
    #expect(all.status == 0 && all.output == "1 conflict: all as before\n", "\(all)")
    let shown = try replay(other)
    #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown)")
    for part in [
      "1 conflict: 0 as before, 1 now refused", id, "before", "now", "merge into existing",
      "refuse: not now",
    ] { #expect(shown.output.contains(part), "\(part) in \(shown.output)") }
    #expect(!shown.output.contains("Ada") && !shown.output.contains("Grace"))

    let json = try JSONValue(text: replay(other, "--json", "--limit", "5").output)
    #expect(json["count"] == 1 && json["same"] == 0 && json["changes"] == ["refused": 1])
    guard case .array(let differences)? = json["differences"] else {
      Issue.record("\(json.text)")
      return
    }
    #expect(differences.first?["id"] == .string(id) && differences.first?["change"] == "refused")
    #expect(differences.first?["now"] == "refuse: not now")
    #expect(
      try replay(other, "--since", "2990-01-01").output == "0 conflicts were recorded.\n")
  }

  @Test func `a replay fits a terminal, and its result can be read`() async throws {
    let id = try await decide(
      by: text("old", "return merge { into = conflict.existing, from = conflict.current }"))
    let other = try folder.write("other.lua", text("other", "return refuse \"not now\""))
    let terminal = try Terminal(
      "'\(Program.path)'", in: folder, columns: 80, environment: ["TERM": "xterm-256color"],
      name: "replay")
    try terminal.wait(for: "authgraph>")

    let shown = try terminal.enter("policy.replay '\(other)'", until: "refuse: not now")
    #expect(shown.contains("1 conflict: 0 as before, 1 now refused"), "\(shown)")
    #expect(shown.contains(id) && shown.contains("merge into existing"), "\(shown)")
    try terminal.enter("'again ' .. _.changes.refused", until: "\nagain 1")
    try terminal.clear()
    try terminal.enter(
      "policy.example(policy.decisions { limit = 1 }[1].id)", until: "into = \"existing\"")
  }

  @Test func `the commands of the guide work`() async throws {
    _ = try await decide(
      by: text("old", "return merge { into = conflict.existing, from = conflict.current }"))
    let guide = try Article("Scripts/policies/README.md")
    let block = try #require(guide.blocks("lua").first { $0.contains("policy.replay") })
    let lines = block.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    let outputs = try lines.map { line in
      let outcome = try folder.run(line)
      #expect(outcome.status == 0, "\(line): \(outcome.errors)")
      return outcome.output
    }
    #expect(outputs[0].contains("merge into existing"))
    #expect(outputs[1].hasPrefix("1 conflict: "))
    #expect(outputs[2].hasPrefix("{\n  name = \"event "))

    let command = try #require(guide.blocks("sh").first { $0.contains("policy replay") })
    #expect(command.contains("--since \"30 days ago\" --json"))
    let json = try JSONValue(
      text: replay("Scripts/policies/keep-oldest.lua", "--since", "30 days ago", "--json").output)
    #expect(json["count"] == 1)
  }

  @Test func `a wrong file, time or number is an error`() async throws {
    _ = try await decide(
      by: text("old", "return merge { into = conflict.existing, from = conflict.current }"))
    let good = try folder.write("good.lua", text("good", "return refuse \"no\""))
    let bad = try folder.write("bad.lua", "return policy {")
    for (arguments, code) in [
      (["nothing.lua"], "invalid-policy"), ([bad], "invalid-policy"),
      ([good, "--since", "soon"], "invalid-argument"),
    ] {
      let outcome = try Program.run(
        ["policy", "replay", "--store", "sqlite:\(folder.store)"] + arguments, in: folder)
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.errors.contains(code), "\(outcome.errors)")
    }
    #expect(try replay(good, "--limit", "0").status != 0)
    let missing = try Program.run(
      ["policy", "replay", good, "--store", "sqlite:missing.db"], in: folder)
    #expect(missing.status == 1 && !missing.errors.isEmpty)
  }
}
