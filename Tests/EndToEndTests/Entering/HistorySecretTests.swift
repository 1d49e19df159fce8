import Foundation
import Testing
import TestSupport

/// Tests what the history file keeps of inputs with secrets.
@Suite(.serialized) struct `Secrets and the history` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua("accounts.create { uid = 'tim', email = 'tim@example.org' }")
  }

  private func open() throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)'", in: folder, columns: 160, environment: ["TERM": "xterm-256color"])
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  private func history() throws -> String {
    try folder.read(".local/state/authgraph/history")
  }

  @Test func `C8: mistyped secrets are not in the file, plain inputs are`() throws {
    let terminal = try open()
    try terminal.enter("accounts.count()", until: "\n1")
    let mistyped = [
      #"accounts.get("tim"):update{ pasword = "hunter2-misspelled" }"#,
      #"accounts.get("tim"):update{ password "hunter2-syntax" }"#,
      #"providers.password.credential("tim@example.org", "hunter2-positional")"#,
      #"providers.configure("google.com", { clientIDs = { "x" }, clientsecret = "hunter2-case" })"#,
      #"accounts.get('tim'):update(json.decode('{"password":"hunter2-json"}'))"#,
      #"accounts.get("tim"):update{ pw = "hunter2-short" }"#,
    ]
    for (number, code) in mistyped.enumerated() {
      try terminal.enter(code, until: code.suffix(20).description)
      try terminal.enter("print('done ' .. \(number))", until: "\ndone \(number)")
    }
    let shown = try terminal.screen()
    #expect(shown.components(separatedBy: "not kept in the history file").count == 2)
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
    let kept = try history()
    #expect(!kept.contains("hunter2"), "\(kept)")
    #expect(kept.contains("accounts.count()") && kept.contains("'done '"))
  }

  @Test func `C8: secret() asks for one that no input, screen or file holds`() throws {
    let terminal = try open()
    try terminal.type(
      #"providers.configure("google.com", { clientSecret = secret(), reason = "new" })"#)
    try terminal.press("Enter")
    try terminal.wait(for: "Secret:")
    try terminal.type("hunter2-asked")
    try terminal.press("Enter")
    try terminal.wait(for: "configure-provider")
    try terminal.enter(
      #"print(providers["google.com"].configuration.clientSecret)"#, until: "\n•••")
    #expect(try !terminal.screen().contains("hunter2-asked"))
    try terminal.type("secret()")
    try terminal.press("Enter")
    usleep(300_000)
    try terminal.interrupt()
    try terminal.wait(for: "stopped by Ctrl-C")
    try terminal.enter("1 + 41", until: "\n42")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
    #expect(try history().contains("clientSecret = secret()"))
    #expect(try !history().contains("hunter2"))
  }

  @Test func `C8: without a terminal secret() says so`() throws {
    let outcome = try folder.run("secret('hunter2')")
    #expect(outcome.errors.contains("secret() takes no argument"), "\(outcome.errors)")
  }
}
