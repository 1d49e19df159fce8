import Foundation
import Testing

@testable import AdminConsole

/// Tab, with an account that is linked with GitHub.
@Suite struct ConsoleCompletionTests {
  let home: ConsoleHome
  let completion: ConsoleCompletion

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      x = accounts.create { uid = "x", email = "x@example.com" }
      x:link { providerID = "github.com", subject = "1" }
      evs = audit.tail(5)
      list = { { deep = { name = 1 } } }
      """)
    completion = ConsoleCompletion(state: home.admin.state, session: home.admin.session)
  }

  private func words(_ line: String) -> [String] {
    completion.candidates(line, line.utf8.count).candidates
  }

  /// Returns the line after Tab, if there is one candidate.
  private func completed(_ line: String) -> String? {
    let (start, candidates) = completion.candidates(line, line.utf8.count)
    guard candidates.count == 1 else { return nil }
    return String(decoding: Array(line.utf8)[..<start], as: UTF8.self) + candidates[0]
  }

  @Test func `a string of a file completes file names`() throws {
    let folder = try home.file("rules.lua", "").replacing("rules.lua", with: "")
    _ = try home.file("notes.txt", "")
    _ = try home.file(".hidden.lua", "")
    try FileManager.default.createDirectory(
      atPath: "\(folder)sub.d", withIntermediateDirectories: true)
    #expect(completed("policy.use \"\(folder)ru") == "policy.use \"\(folder)rules.lua")
    #expect(completed("policy.test('\(folder)su") == "policy.test('\(folder)sub.d/")
    #expect(words("policy.use \"\(folder)no").isEmpty)
    #expect(words("hooks.use \"\(folder).h") == ["\(folder).hidden.lua"])
    #expect(!words("hooks.use \"\(folder)").contains("\(folder).hidden.lua"))
    #expect(words("policy.use \"/no/such/folder/").isEmpty)
  }

  @Test func `a string of a provider completes its ID`() {
    #expect(completed("providers.configure(\"goog") == "providers.configure(\"google.com")
    #expect(completed("settings.trust(\"github.c") == "settings.trust(\"github.com")
    #expect(
      completed("settings.trust(\"github.com\", \"al") == "settings.trust(\"github.com\", \"always")
    #expect(
      completed("accounts.find { providerID = \"github.c")
        == "accounts.find { providerID = \"github.com")
  }

  @Test func `unlink offers what the account is linked with`() {
    #expect(completed("x:unlink(\"") == "x:unlink(\"github.com")
    #expect(completed("x:unlink \"g") == "x:unlink \"github.com")
    #expect(words("x:unlink \"goo").isEmpty)
  }

  @Test func `a table that is an argument completes the names of its options`() {
    #expect(completed("merge.plan(a, b, { dr") == "merge.plan(a, b, { dropIdentities = ")
    #expect(words("merge.plan(a, b, { fields = { c") == ["createdAt = ", "customClaims = "])
    #expect(words("x:disable { ") == ["dryRun = ", "reason = "])
    #expect(words("x:disable { dryRun = true, ") == ["reason = "])
    #expect(completed("duplicates.find { by = \"ver") == "duplicates.find { by = \"verifiedEmail")
    #expect(completed("merge.planAll { by = \"sim") == "merge.planAll { by = \"similarEmail")
    #expect(completed("merge.load(\"f\", { re") == "merge.load(\"f\", { replan = ")
    #expect(words("merge.planAll():commit { ") == ["dryRun = ", "limit = ", "reason = "])
    #expect(words("show(x):csv(\"f\", { ") == ["exact = ", "overwrite = "])
    #expect(
      completed("providers[\"apple.com\"].rekey { ma") == "providers[\"apple.com\"].rekey { map = ")
  }

  @Test func `an element of a list completes without running code`() {
    #expect(words("evs[1].act") == ["evs[1].action", "evs[1].actor"])
    #expect(words("list[1].d") == ["list[1].deep"])
    #expect(words("list[1].deep.") == ["list[1].deep.name"])
    #expect(words("list[7].").isEmpty)
  }

  @Test func `a string without a known use completes nothing`() {
    #expect(words("print(\"acc").isEmpty)
    #expect(words("y = 'acc").isEmpty)
    #expect(completed("providers[\"googl") == "providers[\"google.com\"]")
    #expect(completed("print(\"done\", accounts.cou") == "print(\"done\", accounts.count")
  }

  @Test func `help and backslash commands complete`() {
    #expect(completed("help \"accounts.cou") == "help \"accounts.count")
    #expect(words("\\t") == ["\\timing"])
    #expect(words("\\") == ["\\q", "\\d", "\\l", "\\x", "\\timing", "\\h", "\\?"])
    #expect(words("\\x a") == ["auto"])
  }

  /// The names that Tab offers are those that the functions accept.
  @Test func `every table of the API has its names in its help entry`() {
    let generic: Set = ["providers.credential", "providers.configure"]
    for table in OptionTable.all where !generic.contains(table.function) {
      let arguments = HelpTopic.all.filter { $0.name == table.function }.flatMap(\.arguments)
      let offered = arguments.compactMap { argument -> [String]? in
        if case .table(let names, _) = argument { names.sorted() } else { nil }
      }
      #expect(offered.contains(table.names.sorted()), "\(table): \(offered)")
    }
  }

  @Test func `every argument with values of its own is one that its function takes`() {
    for (function, arguments) in HelpTopic.completed {
      let taken = HelpTopic.all.first { $0.name == function }?.parameters ?? []
      #expect(Set(arguments.keys).isSubset(of: taken), "\(function)")
    }
  }

  @Test func `conditions of accounts and events complete their names and values`() {
    #expect(completed("accounts.find { createdS") == "accounts.find { createdSince = ")
    #expect(completed("accounts.count { anon") == "accounts.count { anonymous = ")
    #expect(
      completed("accounts.find { providers = { \"github.c")
        == "accounts.find { providers = { \"github.com")
    #expect(completed("audit.find { req") == "audit.find { request = ")
    #expect(completed("audit.find { action = \"unl") == "audit.find { action = \"unlink")
  }
}
