import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// What a session may do, in whose name, why, and what the audit keeps of it.
@Suite struct `The safety of a console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua("accounts.create { uid = 'ada', email = 'ada@example.com' }")
  }

  private func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) throws -> Program.Outcome {
    try Program.run(arguments, in: folder, input: input, environment: environment)
  }

  private func script(_ text: String) throws -> String { try folder.write("script.lua", text) }

  private var digest: Data {
    get throws { try Data(contentsOf: URL(filePath: folder.store)) }
  }

  @Test func `a session that only reads leaves the file as it is`() throws {
    let before = try digest
    let write = "accounts.get('ada'):disable()"
    for arguments in [
      ["console", "--read-only", "-e", write], ["run", "--read-only", try script(write)],
      ["console", "--read-only", "-e", "begin()"],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == 1 && outcome.errors.contains("--read-only"), "\(outcome.errors)")
    }
    let piped = try run(["console", "--read-only"], input: write + "\n")
    #expect(piped.status == 1)
    let dry = try run([
      "console", "--read-only", "-e", "accounts.get('ada'):disable { dryRun = true }",
    ])
    #expect(dry.status == 0 && dry.output.contains("would work"), "\(dry.errors)")
    let secret = try run([
      "console", "--read-only", "-e",
      "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = 'right-horse', dryRun = true })",
    ])
    #expect(secret.status == 0, "\(secret.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.store + ".key"))
    #expect(try digest == before)
  }

  @Test func `a session that only reads makes no store, and reads beside a writer`() throws {
    let missing = try run(
      ["console", "--read-only", "--store", "sqlite:\(folder.path)/none.db", "-e", "1"])
    #expect(missing.status == 1 && missing.errors.contains("There is no store"))
    let creating = try run(["console", "--read-only", "--create", "-e", "1"])
    #expect(creating.status == 1 && creating.errors.contains("--create"), "\(creating.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/none.db"))

    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.waitForPrompt()
    try terminal.enter("accounts.create { uid = 'bo' }", until: "bo")
    let beside = try run(["console", "--read-only", "-e", "accounts.count()"])
    #expect(beside.output == "2\n", "\(beside.errors)")
    try terminal.enter("accounts.create { uid = 'cy' }", until: "cy")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
  }

  @Test func `an actor stands beside the system's user`() throws {
    let user = NSUserName()
    let code = "accounts.get('ada'):revokeSessions() print(audit.tail(1)[1].actor)"
    #expect(try run(["console", "-e", code]).output == "admin:\(user)\n")
    #expect(try run(["console", "--actor", "bo", "-e", code]).output == "admin:bo (\(user))\n")
    let environment = ["AUTHGRAPH_ACTOR": "cy@example.com"]
    #expect(
      try run(["run", try script(code)], environment: environment).output
        == "admin:cy@example.com (\(user))\n")
    for name in ["", "bo (root)", "bo)", "bo\n", "bö", String(repeating: "a", count: 65)] {
      let outcome = try run(["console", "--actor", name, "-e", code])
      #expect(outcome.status == 1 && outcome.errors.contains("actor"), "\(outcome.errors)")
    }
  }

  @Test func `a reason is wanted of scripts if the setting says so`() throws {
    try folder.lua("settings.set { console = { asksReason = true } }")
    let code = "accounts.get('ada'):revokeSessions() print(audit.tail(1)[1].reason)"
    let without = try run(["console", "-e", code])
    #expect(without.status == 1 && without.errors.contains("--reason"), "\(without.errors)")
    #expect(
      try run(["console", "--reason", "ticket 7", "-e", code]).output.hasSuffix("ticket 7\n"))
    #expect(
      try run(["run", "--reason", "ticket 8", try script(code)]).output.hasSuffix("ticket 8\n"))
    #expect(try run(["console", "--reason", " ", "-e", code]).status == 1)
    #expect(try run(["console", "--read-only", "-e", "1"]).status == 0)
  }

  @Test func `a person is asked for the reason once`() throws {
    try folder.lua("settings.set { console = { asksReason = true } }")
    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.wait(for: "Reason of this session:")
    try terminal.press("Enter")
    // What is typed before the second question is no answer to it.
    try terminal.wait(for: "Reason of this session:\nReason of this session:")
    try terminal.type("ticket 9")
    try terminal.press("Enter")
    try terminal.wait(for: "authgraph>")
    try terminal.enter("accounts.get('ada'):disable()", until: "receipt")
    try terminal.enter("audit.tail(1)[1].reason", until: "\nticket 9")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
  }

  @Test func `a console of a production store rehearses`() throws {
    try folder.lua("settings.set { console = { rehearses = true } }")
    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.wait(for: "authgraph*>")
    #expect(try terminal.screen().replacing("\n", with: "").contains("Changes are rehearsed"))
    try terminal.enter("accounts.get('ada'):disable()", until: "commit() writes it")
    #expect(try folder.lua("print(accounts.get('ada').disabled)") == "false")
    try terminal.enter("rehearsal()", until: "Nothing is written yet")
    try terminal.leave()
    try terminal.wait(for: "1 rehearsed change is not committed. Leave and forget it? [y/N]")
    try terminal.enter("n", until: "commit() writes them")
    try terminal.waitForPrompt()
    try terminal.enter("print(#commit { reason = 'seen' })", until: "\n1")
    try terminal.waitForPrompt()
    try terminal.enter("audit.tail(1)[1].reason", until: "\nseen")
    #expect(try folder.lua("print(accounts.get('ada').disabled)") == "true")
    try terminal.clear()
    try terminal.enter("accounts.get('ada'):enable()", until: "enable of")
    try terminal.waitForPrompt()
    try terminal.enter("exit", until: "Leave and forget it? [y/N]")
    try terminal.enter("y", until: "[left with 0]")
    #expect(try folder.lua("print(accounts.get('ada').disabled)") == "true")
  }

  @Test func `a script that forgets to commit fails`() throws {
    let outcome = try run(["console", "-e", "begin() accounts.get('ada'):disable()"])
    #expect(outcome.status == 1 && outcome.errors.contains("not committed"), "\(outcome.errors)")
    #expect(try folder.lua("print(accounts.get('ada').disabled)") == "false")
    let meant = try run(["console", "-e", "begin() accounts.get('ada'):disable() nevermind()"])
    #expect(meant.status == 0, "\(meant.errors)")
  }

  @Test func `sessions are kept with their inputs, without secrets`() throws {
    #expect(try folder.lua("print(#audit.sessions())") == "0")
    try folder.lua("settings.set { console = { recordsSessions = true } }")
    let first = try Program.run(
      [
        "console", "--actor", "bo", "--reason", "ticket 7", "-e", "ada = accounts.get 'ada'",
        "-e", "ada:update { password = 'right-horse-battery' }", "-e", "ada:disable()",
        "-e", "ada:unlink 'github.com'",
      ], in: folder, environment: ["SSH_CLIENT": "192.0.2.7 5000 22"])
    #expect(first.status == 1)
    let shown = try run([
      "console", "--read-only", "--json", "-e", "audit.sessions()", "-e", "audit.session(_[1].id)",
    ])
    let lines = shown.output.split(separator: "\n").compactMap { try? JSONValue(text: String($0)) }
    guard case .array(let sessions) = lines.first, let session = lines.last else {
      throw Failed(description: shown.output + shown.errors)
    }
    #expect(sessions.count == 1)
    #expect(session["actor"]?.stringValue == "admin:bo (\(NSUserName()))")
    #expect(session["endedAt"]?.stringValue != nil)
    #expect(session["reason"]?.stringValue == "ticket 7")
    #expect(session["origin"]?.stringValue?.hasSuffix("from 192.0.2.7") == true)
    guard case .array(let inputs)? = session["inputs"], case .array(let events)? = session["events"]
    else { throw Failed(description: shown.output) }
    #expect(inputs.map { $0["text"]?.stringValue }.first == "ada = accounts.get 'ada'")
    #expect(inputs.count == 4 && inputs[1]["text"] == nil)
    #expect(inputs.last?["error"]?.stringValue == "no-such-provider")
    #expect(events.map { $0["action"]?.stringValue } == ["update", "disable", "unlink"])
    #expect(!shown.output.contains("right-horse"))
  }

  @Test func `a session that has not ended is listed without its end`() throws {
    try folder.lua("settings.set { console = { recordsSessions = true } }")
    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.waitForPrompt()
    try terminal.enter("accounts.get('ada'):disable()", until: "receipt")
    let shown = try run([
      "console", "--read-only", "-e",
      "s = audit.sessions()[1] print(s.endedAt, #audit.session(s.id).events)",
    ])
    #expect(shown.output == "nil\t1\n", "\(shown.output)\(shown.errors)")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
    #expect(
      try run(["console", "--read-only", "-e", "print(#audit.sessions()[1].endedAt > 0)"]).output
        == "true\n")
  }

  @Test func `a key for an authenticator app is a QR code on the screen`() throws {
    try folder.lua("accounts.get('ada'):update { emailVerified = true }")
    let terminal = try Terminal("'\(Program.path)'", in: folder, columns: 90, rows: 50)
    try terminal.waitForPrompt()
    try terminal.enter("open = accounts.get('ada').multiFactor:enroll 'totp'", until: "totp'")
    try terminal.waitForPrompt()
    let wide = try terminal.enter("open:qr()", until: "▀")
    #expect(wide.contains("█") && !wide.contains("otpauth:"))
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")

    let narrow = try Terminal("'\(Program.path)'", in: folder, columns: 40, name: "narrow")
    try narrow.waitForPrompt()
    try narrow.enter("open = accounts.get('ada').multiFactor:enroll 'totp'", until: "totp'")
    try narrow.waitForPrompt()
    try narrow.enter("open:qr()", until: "otpauth://")
    try narrow.leave()
    try narrow.wait(for: "[left with 0]")
  }
}
