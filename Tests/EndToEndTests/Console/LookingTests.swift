import Foundation
import Testing
import TestSupport

/// Long, wide and narrow output: the pager, blocks, times, files and pipes.
@Suite(.serialized) struct `Looking at the console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(
    columns: Int = 100, rows: Int = 20, environment: [String: String] = [:], name: String = "first",
    options: String = ""
  ) throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)' console \(options)", in: folder, columns: columns, rows: rows,
      environment: ["TERM": "xterm-256color"].merging(environment) { $1 }, name: name)
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  private func fill(_ count: Int) throws {
    try folder.lua(
      "for i = 1, \(count) do accounts.create { uid = ('u%03d'):format(i), email = ('person.%03d@example.com'):format(i) } end"
    )
  }

  @Test(arguments: [80, 140], ["q", "C-c"])
  func `a result longer than the screen goes to the pager, and a key returns`(
    columns: Int, key: String
  ) throws {
    try fill(100)
    let terminal = try open(columns: columns)
    try terminal.type("accounts.find()")
    try terminal.press("Enter")
    try terminal.wait(for: "u010")
    #expect(try !terminal.screen().contains("u050"))
    try terminal.press(key)
    try terminal.waitForPrompt()
    try terminal.enter("40 + 2", until: "\n42")
  }

  @Test func `a pager of its own gets the text, and off lets it scroll`() throws {
    try fill(60)
    let terminal = try open(environment: ["PAGER": "head -n 3"])
    try terminal.enter("accounts.find()", until: "u001")
    try terminal.waitForPrompt()
    #expect(try !terminal.screen().contains("u002"))
    try terminal.enter("set.pager 'off'", until: "'off'")
    try terminal.enter("accounts.find()", until: "60 accounts")
    try terminal.enter("set.pager 'no-such-pager'", until: "no-such-pager'")
    try terminal.enter("accounts.find()", until: "There is no pager \"no-such-pager\"")
    try terminal.wait(for: "60 accounts")
  }

  @Test func `scripts and pipes have no pager`() throws {
    try fill(60)
    let shown = try TerminalRun(["console", "-e", "accounts.find()"], in: folder)
    #expect(shown.terminal.contains("60 accounts"))
    let piped = try Program.run(["-e", "accounts.find()"], in: folder)
    #expect(piped.output.hasSuffix("60 accounts\n"))
  }

  @Test(arguments: ["40", "80", ""])
  func `a pipe has whole lines, whatever COLUMNS says`(columns: String) throws {
    let address = "zoe.with.a.very.long.name.that.is.never.cut@department.company.example.com"
    try folder.lua(
      "accounts.create { uid = 'z1', email = '\(address)', displayName = ('Zoe '):rep(30) }"
        + " accounts.create { uid = 'z2', email = 'x\(address)' }")
    for code in ["accounts.find()", "audit.tail(2)", "duplicates.find { by = 'email' }"] {
      let piped = try Program.run(
        ["-e", code], in: folder, environment: ["COLUMNS": columns])
      #expect(!piped.output.contains("…"), "\(piped.output)")
    }
    let piped = try Program.run(
      ["-e", "accounts.find()"], in: folder, environment: ["COLUMNS": columns])
    let lines = piped.output.split(separator: "\n")
    #expect(lines.count == 5, "\(piped.output)")
    #expect(lines[2].contains(address) && lines[3].contains("x\(address)"))
    let plan = try Program.run(
      ["-e", "merge.plan('z1', 'z2')"], in: folder, environment: ["COLUMNS": columns])
    #expect(plan.output.split(separator: "\n").filter { $0.contains(address) }.count >= 1)
  }

  @Test func `x and timing work at the prompt, and errors name what there is`() throws {
    try fill(2)
    let terminal = try open()
    try terminal.enter("\\x", until: "Each record is a block.")
    try terminal.enter("accounts.find()", until: "uid          u001")
    try terminal.enter("\\x", until: "Each record is a line.")
    try terminal.enter("\\timing", until: "Timing is on.")
    try terminal.enter("1 + 1", until: "\nTime: ")
    try terminal.enter("\\nothing", until: "The console has no command \\nothing.")
    try terminal.press("Up")
    try terminal.wait(for: "> \\nothing")
  }

  @Test func `backslash commands work in piped input, and errors keep their lines`() throws {
    try fill(2)
    let shown = try Program.run([], in: folder, input: "\\x on\naccounts.find()\nnothing()\n")
    #expect(shown.output.contains("uid          u001\n"))
    #expect(shown.errors.contains("stdin:3:"), "\(shown.errors)")
    let wrong = try Program.run([], in: folder, input: "\\y\n1\n")
    #expect(wrong.status == 1 && wrong.output.isEmpty)
    #expect(wrong.errors.contains("The console has no command \\y."))
    let left = try Program.run([], in: folder, input: "= 40 + 2\n\\q\nprint 'on'\n")
    #expect(left.status == 0 && left.output == "42\n", "\(left.errors)")
  }

  @Test(arguments: [40, 80, 140])
  func `every list fits the window`(columns: Int) throws {
    try folder.lua(
      """
      for i = 1, 3 do
        accounts.create { uid = ("4BCdeJBD1S5sRmYS9ultl3esqF%02d"):format(i),
          email = ("grace.haas%d@gmail.com"):format(i), displayName = "Grace Haas" }
      end
      """)
    let terminal = try open(columns: columns, rows: 60)
    for code in ["accounts.find()", "audit.tail(3)", "providers.list()"] {
      let shown = try terminal.enter(code, until: code)
      try terminal.waitForPrompt()
      #expect(try terminal.screen().contains("grace.haas3@gmail.com") || code != "accounts.find()")
      #expect(shown.split(separator: "\n").allSatisfy { $0.count <= columns })
    }
    #expect(try !terminal.screen().contains("grace.haa…"))
  }

  @Test func `Tab completes files, providers and options inside strings and tables`() throws {
    let terminal = try open()
    func complete(_ typed: String, to expected: String) throws {
      try terminal.waitForPrompt()
      try terminal.type(typed)
      try terminal.press("Tab")
      try terminal.wait(for: "> \(expected)")
      try terminal.interrupt()
      try terminal.clear()
    }
    try complete("policy.use \"Scripts/pol", to: "policy.use \"Scripts/policies/")
    try complete(
      "policy.use \"Scripts/policies/keep-o", to: "policy.use \"Scripts/policies/keep-oldest.lua")
    try complete("providers.forget \"goog", to: "providers.forget \"google.com")
    try complete("merge.plan(a, b, { dr", to: "merge.plan(a, b, { dropIdentities =")
    try complete("accounts.find { disa", to: "accounts.find { disabled =")
  }

  @Test func `times are in the admin's zone, and data is in UTC`() throws {
    let file = try folder.write(
      "users.json",
      #"{"users": [{"localId": "ada", "email": "ada@example.com", "createdAt": "1700000000000"}]}"#)
    #expect(try Program.run(["import", file], in: folder).status == 0)
    func output(_ arguments: [String], _ zone: String) throws -> String {
      try Program.run(arguments, in: folder, environment: ["TZ": zone]).output
    }
    let code = "accounts.get 'ada'"
    #expect(try output(["-e", code], "UTC").contains("2023-11-14 22:13:20 UTC"))
    #expect(try output(["-e", code], "Europe/Paris").contains("2023-11-14 23:13:20 +01:00"))
    #expect(
      try output(["-e", "set.zone 'Asia/Tokyo'", "-e", code], "UTC")
        .contains("2023-11-15 07:13:20 +09:00"))
    #expect(try output(["-e", "audit.tail(1)"], "Europe/Paris").contains("at (Europe/Paris)"))
    #expect(
      try output(["--json", "-e", code], "Europe/Paris").contains("\"2023-11-14T22:13:20Z\""))
    #expect(
      try output(["-e", "show(\(code)):csv()"], "Europe/Paris").contains("2023-11-14T22:13:20Z"))
  }

  @Test func `a script writes only where it is allowed`() throws {
    let script = try folder.write("report.lua", "show({ 1 }):csv(arg[1])")
    let target = "\(folder.path)/out/report.csv"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/out", withIntermediateDirectories: true)
    let refused = try Program.run(["run", script, target], in: folder)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("--allow-write"))
    let outside = try Program.run(
      ["run", "--allow-write", "\(folder.path)/out", script, "\(folder.path)/other.csv"], in: folder
    )
    #expect(outside.status == 1 && outside.errors.contains("is outside of"))
    let allowed = try Program.run(
      ["run", "--allow-write", "\(folder.path)/out", script, target], in: folder)
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try folder.read("out/report.csv") == "value\r\n1\r\n")
    let missing = try Program.run(
      ["--allow-write", "\(folder.path)/no", "-e", "1"], in: folder)
    #expect(missing.status == 1 && missing.errors.contains("There is no folder"))
  }

  @Test func `a console writes below its own folder`() throws {
    let terminal = try Terminal(
      "sh -c 'cd \"$HOME\" && exec \"\(Program.path)\"'", in: folder,
      environment: ["TERM": "xterm-256color"])
    try terminal.wait(for: "authgraph>")
    try terminal.enter("show({ 1 }):csv 'list.csv' print 'written'", until: "\nwritten")
    #expect(try folder.read("list.csv") == "value\r\n1\r\n")
    try terminal.enter("show({ 1 }):csv '/tmp/list.csv'", until: "is outside of")
  }

  @Test func `a script that prints nothing prints what it returns`() throws {
    let quiet = try folder.write("quiet.lua", "return accounts.count(), 'text'")
    #expect(try Program.run(["run", quiet], in: folder).output == "0\ntext\n")
    let loud = try folder.write("loud.lua", "print 'done' return { 1 }")
    #expect(try Program.run(["run", loud], in: folder).output == "done\n")
    let none = try folder.write("none.lua", "local x = 1")
    #expect(try Program.run(["run", none], in: folder).output.isEmpty)
  }

  private func writeStartFile(_ text: String, mode: Int = 0o600) throws {
    let directory = "\(folder.path)/.config/authgraph"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let file = try folder.write(".config/authgraph/console.lua", text)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
  }

  @Test func `the start-up file is for the terminal, unless it is asked for`() throws {
    try writeStartFile("greeting = 'good morning'")
    let terminal = try open()
    try terminal.enter("greeting", until: "\ngood morning")
    let plain = try open(name: "second", options: "--no-init")
    try plain.enter("greeting", until: "'greeting' is not defined")
    #expect(try Program.run(["-e", "greeting"], in: folder).status == 1)
    #expect(try Program.run(["--init", "-e", "greeting"], in: folder).output == "good morning\n")
    let script = try folder.write("say.lua", "print(greeting)")
    #expect(try Program.run(["run", "--init", script], in: folder).output == "good morning\n")
    #expect(try Program.run(["run", script], in: folder).status == 1)
  }

  @Test func `a start-up file with an error is told, and one that others can change does not run`()
    throws
  {
    try writeStartFile("x = 1\nnonsense(")
    let terminal = try open()
    #expect(try terminal.screen().contains("--no-init"))
    try terminal.enter("40 + 2", until: "\n42")
    #expect(try Program.run(["--init", "-e", "1"], in: folder).status == 1)
    try writeStartFile("greeting = 'mine'", mode: 0o666)
    let other = try open(name: "second")
    #expect(try other.screen().contains("Others can change the start-up file"))
    try other.enter("greeting", until: "'greeting' is not defined")
  }
}
