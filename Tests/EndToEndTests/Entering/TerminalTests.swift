import Foundation
import Testing
import TestSupport

/// The console, as a person at a keyboard uses it.
@Suite(.serialized) struct `The console in a terminal` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(
    columns: Int = 100, environment: [String: String] = ["TERM": "xterm-256color"],
    name: String = "first"
  ) throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)' --rehearsal-provider fake.example", in: folder, columns: columns,
      environment: environment, name: name)
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  @Test func `the console greets, prints expressions without return, and leaves on Ctrl-D`() throws
  {
    let terminal = try open()
    #expect(try terminal.screen().contains("AuthGraph: default in sqlite:"))
    try terminal.enter("1 + 41", until: "\n42")
    try terminal.enter("x = 5", until: "x = 5")
    try terminal.enter("x * 2", until: "\n10")
    try terminal.enter("_ + 1", until: "\n11")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
  }

  @Test func `a deletion asks, and wants a reason`() throws {
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let terminal = try open()
    try terminal.enter("ada = accounts.get 'ada'", until: "> ada = accounts.get 'ada'")
    try terminal.enter("ada:delete()", until: "Delete it? [y/N, a for all]")
    try terminal.enter("n", until: "Nothing was deleted.")
    try terminal.enter("'still ' .. accounts.count()", until: "\nstill 1")
    try terminal.clear()
    try terminal.enter("ada:delete()", until: "Delete it? [y/N, a for all]")
    try terminal.enter("y", until: "Reason:")
    try terminal.enter("ticket 7", until: "delete of ada")
    try terminal.enter("ada", until: "ticket 7\n")
    try terminal.enter("accounts.restore 'ada'", until: "restore of ada")
    try terminal.enter("'again ' .. accounts.get('ada').email", until: "\nagain ada@example.com")
  }

  @Test func `an input may span lines`() throws {
    let terminal = try open()
    try terminal.enter("for i = 1, 2 do", until: "...>")
    try terminal.enter("print('line', i)", until: "print")
    let shown = try terminal.enter("end", until: "2\n")
    #expect(shown.contains("line    1") || shown.contains("line\t1"))
  }

  @Test func `Tab completes globals, methods, provider IDs and credential fields`() throws {
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let terminal = try open()
    func complete(_ typed: String, to expected: String) throws {
      try terminal.waitForPrompt()
      try terminal.type(typed)
      try terminal.press("Tab")
      try terminal.wait(for: "> \(expected)")
      try terminal.interrupt()
      try terminal.clear()
    }
    try complete("dupl", to: "duplicates")
    try complete("accounts.cou", to: "accounts.count")
    try terminal.enter("ada = accounts.get 'ada'", until: "> ada = accounts.get 'ada'")
    try complete("ada:revo", to: "ada:revokeSessions")
    try complete("ada.provi", to: "ada.providerData")
    try complete("providers[\"fake", to: "providers[\"fake.example\"]")
    try complete(
      "providers[\"fake.example\"].credential { subj",
      to: "providers[\"fake.example\"].credential { subject =")
  }

  @Test func `Ctrl-C stops a script and not the console`() throws {
    let terminal = try open()
    try terminal.enter("print 'running' while true do end", until: "\nrunning")
    try terminal.interrupt()
    try terminal.wait(for: "interrupted: stopped by Ctrl-C")
    try terminal.type("half an input")
    try terminal.wait(for: "> half an input")
    try terminal.interrupt()
    try terminal.enter("40 + 2", until: "\n42")
  }

  @Test func `Ctrl-C stops a script that does little else than call`() throws {
    let terminal = try open()
    try terminal.enter(
      "print 'running' while true do pcall(duplicates.find) end", until: "\nrunning")
    try terminal.interrupt()
    try terminal.wait(for: "interrupted: stopped by Ctrl-C")
    try terminal.enter("accounts.count()", until: "\n0")
  }

  @Test(arguments: ["less", "cat"])
  func `Ctrl-C while a result is printed stops the output and not the console`(
    pager: String
  ) throws {
    let terminal = try open(environment: ["TERM": "xterm-256color", "PAGER": pager])
    try terminal.enter("s = ('é'):rep(1e7)", until: "> s = ('é'):rep(1e7)")
    try terminal.enter("s", until: "éééééééé")
    try terminal.interrupt()
    try terminal.enter("#s", until: "\n20000000")
  }

  @Test func `commands of other consoles are understood`() throws {
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let terminal = try open()
    try terminal.enter("= 40 + 2", until: "\n42")
    try terminal.enter("\\d", until: "ada@example.com")
    try terminal.enter("\\z", until: "The console has no command \\z.")
    try terminal.enter("local q = 5", until: "q is forgotten now")
    try terminal.enter("? exit", until: "Ends the script or the console")
    try terminal.enter("\\q", until: "[left with 0]")
  }

  @Test(arguments: [60, 80])
  func `an error is not broken inside a word`(columns: Int) throws {
    let terminal = try open(columns: columns)
    let shown = try terminal.enter(
      "policy.use 'Scripts/policies/none-of-this-name.lua'", until: "Check the path.")
    #expect(shown.contains("  Scripts/policies/none-of-this-name.lua."), "\(shown)")
  }

  @Test func `an unfinished string is reported at once`() throws {
    let terminal = try open()
    try terminal.enter("print('half", until: "unfinished string")
    try terminal.enter("40 + 2", until: "\n42")
  }

  @Test func `an error is one line, and lastError keeps it`() throws {
    let terminal = try open()
    try terminal.enter(
      "accounts.find { emial = 1 }",
      until: "invalid-argument (emial): There is no \"emial\" here. Did you mean \"email\"?")
    try terminal.enter("lastError.code", until: "\ninvalid-argument")
  }

  @Test func `the history outlives the console and is its owner's alone`() throws {
    let first = try open()
    try first.enter("'a thing to remember'", until: "\na thing to remember")
    try first.leave()
    try first.wait(for: "[left with 0]")
    let file = "\(folder.path)/.local/state/authgraph/history"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    let second = try open(name: "second")
    try second.press("Up")
    try second.wait(for: "> 'a thing to remember'")
  }

  @Test func `colour is for terminals, and NO_COLOR is honoured`() throws {
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let colourful = try open()
    try colourful.enter("accounts.get 'ada'", until: "ada@example.com (unverified)")
    #expect(try colourful.screen(withColors: true).contains("\u{1B}[36m"))
    let plain = try open(
      environment: ["TERM": "xterm-256color", "NO_COLOR": "1"], name: "second")
    try plain.enter("accounts.get 'ada'", until: "ada@example.com (unverified)")
    #expect(try !plain.screen(withColors: true).contains("\u{1B}[36m"))
    #expect(try !folder.lua("accounts.get 'ada'").contains("\u{1B}"))
  }

  @Test(arguments: [40, 80, 120])
  func `tables fit the terminal`(columns: Int) throws {
    for number in 1...3 {
      try folder.lua(
        "accounts.create { email = 'somebody.with.a.long.name.\(number)@department.example.com', "
          + "displayName = 'Somebody With A Long Name' }")
    }
    let terminal = try open(columns: columns)
    let shown = try terminal.enter("accounts.find()", until: "\n3 accounts")
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= columns })
    #expect(shown.contains("Somebody"))
  }

  @Test func `data cannot steer the terminal`() throws {
    try folder.lua(#"accounts.create { uid = "evil", displayName = "\27[2J\27[31mred\r\n" }"#)
    let terminal = try open()
    let shown = try terminal.enter("accounts.get 'evil'", until: "displayName")
    #expect(shown.contains("\\u{1B}[2J"))
    try terminal.enter("print(accounts.get('evil').displayName)", until: "\\u{1B}[31mred")
  }
}
