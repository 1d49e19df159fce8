import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `Help` {
  private static let topics = HelpTopic.all + HelpTopic.surroundings

  @Test func `the overview fits a screen of 80 columns and 24 lines`() {
    let lines = HelpText.overview.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count < 24)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `every function of a task has an entry`() {
    let names = Set(HelpTopic.all.map(\.name))
    for task in HelpTask.all {
      #expect(Set(task.names).subtracting(names).isEmpty, "\(task.sentence)")
      #expect(task.sentence.hasSuffix("."))
    }
  }

  @Test func `no name has two entries, and every entry has a form and a summary`() {
    #expect(Set(Self.topics.map(\.name)).count == Self.topics.count)
    for topic in Self.topics {
      #expect(!topic.forms.isEmpty && topic.summary.hasSuffix("."), "\(topic.name)")
      #expect(topic.line(nameWidth: 22).count <= 80, "\(topic.name)")
    }
  }

  @Test func `words are for entries that exist`() {
    #expect(Set(HelpWords.of.keys).subtracting(Self.topics.map(\.name)).isEmpty)
  }

  @Test(arguments: [
    ("search", "accounts.find"), ("query", "accounts.find"), ("part of a name", "accounts.search"),
    ("claims", "account:update"),
    ("customClaims", "account:update"), ("orphans", "providers.forget"),
    ("totp", "multiFactor:enroll"), ("lost phone", "multiFactor:recover"),
    ("merging", "merge.plan"), ("unmerge", "merge.undo"), ("rollback", "rekey:rollback"),
    ("ban", "account:disable"), ("log out", "account:revokeSessions"), ("excel", "csv"),
    ("excel", "shown:csv"),
    ("write a file", "files"), ("timezone", "set.zone"), ("columns", "set.expanded"),
    ("webhook", "outbox"), ("dead letters", "outbox"), ("twins", "duplicates.find"),
    ("why was it refused", "why"), ("switch tenant", "tenant"), ("blocking functions", "hooks.use"),
    ("date", "time"), ("getenv", "os"), ("dofile", "require"), ("apple team", "providers.rekey"),
  ])
  func `a search finds what is meant`(question: String, name: String) {
    let found = HelpSearch.results(for: question, in: Self.topics).map(\.name)
    #expect(found.contains(name), "\(found)")
    #expect(found.count <= HelpSearch.limit)
  }

  @Test(arguments: [
    "csv", "project", "tenant", "outbox", "time", "json", "hash", "log", "io", "os", "files",
    "startup",
  ])
  func `a topic around the functions is explained`(name: String) throws {
    #expect(try HelpText.text(for: name).contains("\n      "))
  }

  @Test(arguments: [
    ("merges", "merge"), ("merged", "merge"), ("merging", "merge"), ("policies", "policy"),
    ("addresses", "address"), ("deletes", "deleting"), ("codes", "code"),
  ])
  func `forms of a word are one`(one: String, other: String) {
    #expect(HelpSearch.stem(one) == HelpSearch.stem(other))
  }

  @Test(arguments: ["", " ", "the", "xyzzy", "🙈"])
  func `a search may find nothing`(question: String) {
    #expect(HelpSearch.results(for: question, in: Self.topics).isEmpty)
  }

  @Test(arguments: [
    "help()", "help(accounts)", "help(accounts.get)", "help(a)", "help(a.link)",
    "help(print)", "help(function() end)", "help(nil)", "help(5)", "help(true)", "help(json.null)",
    "help(json)", "help({})", "help({ 1, 2 })", "help(audit.tail(1)[1])", "help(merge.plan(a, b))",
    "help(providers.password)", "help(why(audit.tail(1)[1]))", "help(coroutine.create(print))",
    "help(accounts.get \"nobody\")", "help \"all\"", "help(help)", "help(settings)", "help(_)",
  ])
  func `it explains a value of any kind`(line: String) throws {
    let home = try ConsoleHome()
    try home.run("a = accounts.create { uid = 'a' } b = accounts.create { uid = 'b' }")
    #expect(home.failure(line) == nil)
  }

  @Test func `a library and an object list their functions`() throws {
    let home = try ConsoleHome()
    let results = try home.run("return accounts.create { uid = 'a' }")
    let account = try #require(results.first?.objectValue)
    let members = try #require(home.admin.state.members(of: account))
    let text = HelpText.text(of: members)
    #expect(text.contains("account:unlink") && text.contains("emailVerified"))
    for line in text.split(separator: "\n") where line.contains("account:") {
      #expect(line.count <= 110, "\(line)")
    }
  }

  @Test func `a function without an entry is refused`() throws {
    let home = try ConsoleHome()
    let functions = home.admin.state.definedFunctions
    #expect(functions.contains("accounts.get") && functions.contains("account:link"))
    #expect(throws: Never.self) { try HelpTopic.check(functions + ["why", "exit", "quit"]) }
    #expect(throws: LuaError.self) { try HelpTopic.check(functions + ["accounts.unknown"]) }
  }
}
