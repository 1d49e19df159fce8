import Foundation
import Testing
import TestSupport

/// Errors are reported with a remedy, and nothing is lost.
@Suite struct `Bad input` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func error(_ code: String) throws -> String {
    let outcome = try folder.run(code)
    #expect(outcome.status == 1)
    return outcome.errors.trimmingCharacters(in: .newlines)
  }

  @Test func `an unknown provider`() throws {
    #expect(try error("providers['fake.exmaple']").contains("did you mean 'fake.example'"))
    #expect(
      try error("accounts.create { uid = 'a' }:unlink 'google.com'").contains("no-such-provider"))
  }

  @Test func `a missing or misspelled credential field`() throws {
    let missing = try error("providers['fake.example'].credential {}")
    #expect(
      missing.hasPrefix("invalid-credential (subject): A credential of fake.example needs subject"))
    let misspelled = try error(
      "providers.password.credential { emial = 'a@b.example', password = 'x' }")
    #expect(
      misspelled.contains("no field \"emial\"") && misspelled.contains("Did you mean \"email\"?"))
  }

  @Test func `misspelled names in tables`() throws {
    #expect(try error("accounts.find { emial = 'x' }").contains("Did you mean \"email\"?"))
    #expect(
      try error("accounts.create { uid='a', emailVerifed=true }").contains("\"emailVerified\""))
    #expect(try error("accounts.create { uid='b' }.emial").contains("did you mean 'email'"))
    #expect(
      try error("merge.plan('b', 'b', { fields = { displayname = 'keep' } })").contains(
        "Did you mean \"displayName\"?"))
    #expect(try error("audit.tial()").contains("did you mean 'tail'"))
  }

  @Test func `a Lua syntax error names the line`() throws {
    let script = try folder.write("broken.lua", "print(1)\nif x the\n  print(2)\nend\n")
    let outcome = try Program.run(["run", script], in: folder)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("broken.lua:2:"), "\(outcome.errors)")
  }

  @Test func `a Lua error names the line, and what was written before it stays`() throws {
    let script = try folder.write(
      "fails.lua", "accounts.create { uid = 'a' }\nlocal x = nil\nprint(x.y)\n")
    let outcome = try Program.run(["run", script], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("fails.lua:3:"), "\(outcome.errors)")
    #expect(try folder.lua("accounts.get('a').uid") == "a")
  }

  @Test func `with --json an error is JSON, with code, message, remedy and field`() throws {
    let outcome = try Program.run(
      ["--json", "-e", "accounts.find { emial = 'x' }"], in: folder)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors
        == #"{"error":{"code":"invalid-argument","field":"emial","id":null,"message":"There is no \"emial\" here.","remedy":"Did you mean \"email\"?"}}"#
        + "\n")
  }

  @Test func `a policy that is not there, broken, or fails its own examples`() throws {
    #expect(try error("policy.use '/nowhere/p.lua'").contains("There is no file /nowhere/p.lua."))
    #expect(try error("policy.use '\(folder.path)'").contains("cannot be read"))
    let broken = try folder.write("broken.lua", "return policy {\n  name = 'x',\n  on = = 1 }\n")
    #expect(try error("policy.use '\(broken)'").contains("broken.lua:3:"))
    let empty = try folder.write("empty.lua", "return 1\n")
    #expect(try error("policy.use '\(empty)'").contains("declares no policy"))
    let foreign = try folder.write(
      "foreign.lua",
      """
      return policy { name = "x", on = { "email-already-in-us" }, decide = function() end }
      """)
    #expect(try error("policy.use '\(foreign)'").contains("Did you mean"))
    let wrong = try folder.write(
      "wrong.lua",
      """
      return policy {
        name = "x", on = { "email-already-in-use" },
        decide = function(c) return merge { into = c.current, from = c.existing } end,
        examples = { { name = "first", current = {}, existing = {}, expect = { into = "existing" } } },
      }
      """)
    #expect(
      try error("policy.use '\(wrong)'").contains("\"first\": merged into current, not existing"))
    #expect(try folder.lua("policy.current()") == "nil")
  }

  @Test func `a policy that goes wrong while deciding leaves both accounts alone`() throws {
    let file = try folder.write(
      "fails.lua",
      """
      return policy {
        name = "fails", on = { "credential-already-in-use" }, unproven = true,
        decide = function(conflict)
          return conflict.curent.uid
        end,
      }
      """)
    try folder.lua(
      """
      policy.use('\(file)', { force = true, reason = 'to see it fail' })
      accounts.create { uid = "a" }:link { providerID = "github.com", subject = "1" }
      accounts.create { uid = "b" }
      """)
    let shown = try error("accounts.get('b'):link { providerID = 'github.com', subject = '1' }")
    #expect(shown.contains("invalid-policy") && shown.contains("fails.lua:4:"), "\(shown)")
    #expect(
      try folder.lua("#accounts.get('b').providerData, #accounts.get('a').providerData") == "0\n1")
  }

  @Test func `a store that is locked, damaged, foreign or nowhere`() throws {
    func opening(_ store: String) throws -> String {
      let outcome = try Program.run(["--store", store, "-e", "accounts.count()"], in: folder)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      return outcome.errors
    }
    #expect(try opening("sqlite:\(folder.path)").contains("store-unavailable"))
    #expect(try opening("mysql://x").contains("names no store"))
    #expect(try opening("postgres://ada:hunter22@127.0.0.1:1/x").contains("store-unavailable"))
    let garbage = try folder.write("garbage.db", String(repeating: "not a database ", count: 500))
    #expect(try opening("sqlite:\(garbage)").contains("store-unavailable"))
    #expect(try folder.read("garbage.db").hasPrefix("not a database "))
    let foreign = "\(folder.path)/foreign.db"
    try shell("sqlite3 '\(foreign)' 'create table music(id); insert into music values (1)'")
    #expect(try opening("sqlite:\(foreign)").contains("store-unavailable"))
    #expect(try shell("sqlite3 '\(foreign)' 'select count(*) from music'") == "1\n")
  }

  @Test func `a store that another process has locked is waited for`() throws {
    try folder.lua("accounts.create { uid = 'a' }")
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/python3")
    holder.arguments = [
      "-c",
      """
      import sqlite3, sys, time
      c = sqlite3.connect('\(folder.store)', isolation_level=None)
      c.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); time.sleep(1.5); c.execute('COMMIT')
      """,
    ]
    let output = Pipe()
    holder.standardOutput = output
    try holder.run()
    let limit = ProcessLimit(holder)
    _ = output.fileHandleForReading.availableData
    try folder.lua("accounts.create { uid = 'b' }")
    holder.waitUntilExit()
    try limit.check()
    #expect(try folder.lua("accounts.count()") == "2")
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
  func `a full disk is reported, and existing data stays`() throws {
    let mount = "\(folder.path)/small"
    try shell("mkdir '\(mount)' && mount -t tmpfs -o size=1500k tmpfs '\(mount)'")
    defer { _ = try? shell("umount '\(mount)'") }
    let store = "sqlite:\(mount)/accounts.db"
    let outcome = try Program.run(
      [
        "--store", store, "--create", "-e",
        """
        for i = 1, 2000 do
          accounts.create { uid = "u" .. i, displayName = ("x"):rep(250), customClaims = { a = ("y"):rep(900) } }
        end
        """,
      ], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("store-unavailable"), "\(outcome.errors)")
    let count = try Program.run(["--store", store, "-e", "accounts.count()"], in: folder)
    let number = Int(count.output.trimmingCharacters(in: .newlines)) ?? 0
    #expect(number > 10, "\(count)")
    #expect(
      try Program.run(["--store", store, "-e", "accounts.get('u\(number)').uid"], in: folder).output
        == "u\(number)\n")
  }

  @Test func `an export never replaces what is no plain file`() throws {
    try folder.lua("accounts.create { uid = 'a' }")
    for target in ["/dev/full", folder.path, ""] {
      let outcome = try Program.run(["export", "--force", target], in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("(file)"), "\(outcome)")
    }
    #expect(try shell("test -c /dev/full && echo device") == "device\n")
    let missing = try Program.run(
      ["export", "--store", "sqlite:\(folder.path)/nowhere.db"], in: folder)
    #expect(missing.status == 1 && missing.errors.contains("There is no store"))
  }

  @Test func `output that cannot be written is a one-line error, not a crash`() throws {
    for arguments in ["-e 'accounts.count()'", "export", "--json -e 'accounts.find()'"] {
      let output = try shell(
        "AUTHGRAPH_STORE='sqlite:\(folder.store)' '\(Program.path)' -e 'x = 1'; "
          + "AUTHGRAPH_STORE='sqlite:\(folder.store)' '\(Program.path)' \(arguments) "
          + "2>&1 >/dev/full; echo $?")
      #expect(output.hasSuffix("\n1\n") && output.split(separator: "\n").count == 2, "\(output)")
    }
  }

  @Test func `options of the wrong shape are refused, never ignored`() throws {
    try folder.lua(
      """
      accounts.create { uid = "a" }:link { providerID = "github.com", subject = "1" }
      accounts.create { uid = "b" }:link { providerID = "github.com", subject = "2" }
      """)
    for code in [
      "merge.plan('a', 'b', { dropIdentities = 'github.com/2' })",
      "merge.plan('a', 'b', { dropIdentities = accounts.get('b').providerData[1] })",
      "merge.plan('a', 'b', { fields = 'theirs' })",
      "accounts.get('a'):unlink('github.com', { 'dryRun' })",
      "accounts.get('a'):unlink('github.com', { force = 'yes' })",
      "settings.trust('github.com', { domains = { 'example.com' } })",
      "settings.trust('github.com', {})", "accounts.find { limit = 0 }",
      "accounts.count { limit = 1 }", "accounts.create { email = 5 }",
    ] {
      let shown = try error(code)
      #expect(shown.contains("invalid-argument") || shown.contains("bad argument"), "\(shown)")
    }
    #expect(try folder.lua("#accounts.get('a').providerData") == "1")
  }

  @Test func `a project or tenant without a name is refused`() throws {
    for option in ["--project", "--tenant"] {
      let outcome = try Program.run([option, "", "-e", "1"], in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("has no name"))
    }
  }

  @Test func `a rehearsal provider never stands for a real one`() throws {
    let outcome = try Program.run(["--rehearsal-provider", "password", "-e", "1"], in: folder)
    #expect(outcome.status == 1 && outcome.errors.contains("invalid-provider-id"))
  }

  @Test func `processes that make one new store together all find it made`() throws {
    for round in 1...5 {
      let store = "sqlite:\(folder.path)/new\(round).db"
      let processes = try (1...6).map { number in
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = [
          "--store", store, "--create", "-e", "accounts.create { uid = 'w\(number)' }",
        ]
        process.environment = folder.environment
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        return (process, errors, ProcessLimit(process))
      }
      for (process, errors, limit) in processes {
        let told = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try limit.check()
        #expect(process.terminationStatus == 0, "\(String(decoding: told, as: UTF8.self))")
      }
      let count = try Program.run(["--store", store, "-e", "accounts.count()"], in: folder)
      #expect(count.output == "6\n")
    }
  }

  @Test func `an error's decision can be explained, and one without a decision says so`()
    throws
  {
    let output = try folder.lua(
      """
      accounts.create { uid = "a" }:link { providerID = "github.com", subject = "1" }
      local _, refused = pcall(function() accounts.get("a"):unlink "github.com" end)
      print(why(refused).outcome)
      local _, misspelled = pcall(accounts.find, { emial = 1 })
      print(select(2, pcall(why, misspelled)).code)
      settings.trust("github.com", "always", { reason = "ticket 9" })
      print(why(audit.tail(1)[1]))
      """)
    #expect(output.hasPrefix("last-sign-in-method\nevent-not-found\nchange-settings, done"))
    #expect(output.contains("trust github.com  never   always"), "\(output)")
  }

  @discardableResult
  private func shell(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let limit = ProcessLimit(process)
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try limit.check()
    guard process.terminationStatus == 0 else { throw Failed(description: "\(command) failed") }
    return String(decoding: data, as: UTF8.self)
  }
}
