import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@testable import AdminConsole
@testable import LuaRuntime

/// `policy.decisions`, `policy.replay` and `policy.example`, on conflicts of real links.
@Suite struct `Replays at the console` {
  private let home: ConsoleHome
  private let provider = FakeProvider(id: ProviderID("fake.example"))

  init() throws { home = try ConsoleHome() }

  /// Writes a policy file.
  private func file(_ name: String, _ body: String, examples: String = "") throws -> String {
    try home.file(
      "\(name).lua",
      """
      return policy {
        name = "\(name)", on = { "credential-already-in-use", "email-already-in-use" },
        decide = function(conflict) \(body) end, examples = { \(examples) },
      }
      """)
  }

  private static let keeping =
    "return merge { into = conflict.existing, from = conflict.current }"

  /// Links the identity of a newer account, and returns the event's ID.
  @discardableResult
  private func conflict(_ number: Int, name: String = "Ada") async throws -> String {
    let anyone = Caller(scope: home.scope, authority: .anyone)
    let taken = try provider.credential(subject: "taken-\(number)", displayName: "Grace")
    _ = try await home.graph.signIn(taken, by: anyone)
    home.clock.advance(seconds: 60)
    let current = try await home.graph.signIn(
      provider.credential(subject: "own-\(number)", displayName: name), by: anyone
    ).account
    _ = try await home.graph.changeSettings(
      by: Caller(scope: home.scope, authority: .admin("ada"), reason: "test")
    ) { $0.identitiesPerProvider = .many }
    let session = Caller(
      scope: home.scope,
      authority: .session(current.id, signedInAt: home.clock.now, secondFactor: false))
    do {
      return try await home.graph.link(taken, to: current.id, by: session).id
    } catch let error as AuthError {
      return try error.eventID.unwrapped("event")
    }
  }

  private func text(_ code: String) throws -> String? { try home.run(code).first?.stringValue }

  @Test func `the log lists each decision with its event and its answer`() async throws {
    try home.run("policy.use '\(try file("keeping", Self.keeping))'")
    let first = try await conflict(1)
    let second = try await conflict(2)

    let code = "local l = policy.decisions() return #l, l[1].id, l[2].id, l[1].answer, l[1].policy"
    let values = try home.run(code)

    #expect(values.first?.integerValue == 2)
    #expect(values.dropFirst().prefix(2).map(\.stringValue) == [second, first])
    #expect(values[3].stringValue == "merge into existing" && values[4].stringValue == "keeping")
    #expect(try text("return policy.decisions({ limit = 1 })[1].id") == second)
    #expect(try home.run("return #policy.decisions { since = '30 days ago' }") == [.integer(2)])
    home.clock.advance(seconds: 31 * 86_400)
    #expect(try home.run("return #policy.decisions { since = '30 days ago' }") == [.integer(0)])
  }

  @Test func `a replay counts what is decided otherwise, and shows it side by side`() async throws {
    try home.run("policy.use '\(try file("keeping", Self.keeping))'")
    var ids: [String] = []
    for number in 1...4 { ids.append(try await conflict(number, name: "Ada \(number % 2)")) }
    let other = try file(
      "other",
      """
      if conflict.current.displayName == "name 2" and time.now() > 0 then return refuse "no" end
      return merge { into = conflict.existing, from = conflict.current }
      """)
    let swapped = try file(
      "swapped", "return merge { into = conflict.current, from = conflict.existing }")

    #expect(
      try text("return policy.replay('\(try file("same", Self.keeping))').summary")
        == "4 conflicts: all as before")
    #expect(
      try text("return policy.replay('\(swapped)', { since = '30 days ago' }).summary")
        == "4 conflicts: 0 as before, 4 with another survivor")
    let code = """
      local r = policy.replay('\(swapped)', { limit = 1 })
      local d = r.differences[1]
      return r.count, r.same, r.changes.survivor, d.id, d.change, d.before, d.now, tostring(r)
      """
    let values = try home.run(code)
    #expect(values.prefix(3).map(\.integerValue) == [1, 0, 1])
    #expect(
      values.dropFirst(3).prefix(4).map(\.stringValue)
        == [ids[3], "survivor", "merge into existing", "merge into current"])
    let shown = values[7].stringValue ?? ""
    #expect(shown.hasPrefix("1 conflict: 0 as before, 1 with another survivor"), "\(shown)")
    for part in [ids[3], "before", "now", "merge into existing", "merge into current"] {
      #expect(shown.contains(part), "\(part) in \(shown)")
    }
    // In each record, the first name is "name 1" whoever has it.
    #expect(
      try text("return policy.replay('\(other)').summary") == "4 conflicts: all as before")
    #expect(home.failure("policy.replay('\(other)', { since = 'tomorrow' })") != nil)
    #expect(home.failure("policy.replay 'nothing.lua'") != nil)
    #expect(try home.run("return #policy.decisions()") == [.integer(4)])
  }

  @Test func `an example of a receipt passes in the file that decided`() async throws {
    try home.run("policy.use '\(try file("keeping", Self.keeping))'")
    let id = try await conflict(1)
    let example = try #require(try text("return policy.example '\(id)'"))
    #expect(example.contains("name = \"event \(id)\"") && example.contains("into = \"existing\""))
    #expect(!example.contains("Ada") && !example.contains("Grace"))
    #expect(try text("return policy.example(audit.tail(1)[1])") == example)

    let again = try file("keeping", Self.keeping, examples: example)
    #expect(try home.run("return policy.test('\(again)')[1].passed") == [.bool(true)])
    let swapped = try file(
      "swapped", "return merge { into = conflict.current, from = conflict.existing }",
      examples: example)
    #expect(try home.run("return policy.test('\(swapped)')[1].passed") == [.bool(false)])
    let error = home.failure("policy.use '\(swapped)'")
    #expect(error.map { ErrorText($0).line.contains("does not pass") } == true)
  }

  @Test func `an event without a decision has no example`() async throws {
    try home.run("ada = accounts.create { uid = 'ada' }")
    let error = try #require(home.failure("policy.example(audit.tail(1)[1])"))
    #expect(ErrorText(error).code == "event-not-found", "\(error)")
    #expect(ErrorText(error).line.contains("no decision of a policy"))
  }

  @Test func `no function of the log writes`() async throws {
    let keeping = try file("keeping", Self.keeping)
    try home.run("policy.use '\(keeping)'")
    let id = try await conflict(1)
    let before = try await home.graph.events(limit: 100, in: home.scope)

    try home.run("policy.decisions() policy.replay '\(keeping)' policy.example '\(id)'")

    #expect(try await home.graph.events(limit: 100, in: home.scope) == before)
    let reader = try home.readOnly()
    let count = try reader.call(
      reader.compile("return policy.replay('\(keeping)').count", name: "console"))
    #expect(count == [.integer(1)])
  }
}
