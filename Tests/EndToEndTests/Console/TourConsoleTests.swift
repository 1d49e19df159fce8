import Foundation
import Testing
import TestSupport

/// The tour, as a newcomer at a keyboard takes it.
@Suite struct `The tour in a terminal` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)' console", in: folder, columns: 80, rows: 60,
      environment: ["TERM": "xterm-256color", "PAGER": "cat"])
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  /// Types a line at the next prompt, and waits for a text.
  private func enter(_ line: String, until expected: String, in terminal: Terminal) throws {
    try terminal.waitForPrompt()
    try terminal.enter(line, until: expected)
  }

  @Test func `goes on when a step has happened, and waits while it has not`() async throws {
    try await blocking {
      let sample = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
      #expect(sample.status == 0)
      let terminal = try open()
      try enter("tour", until: "1 of 10.", in: terminal)
      try enter("1 + 1", until: "\n2", in: terminal)
      let waiting = try terminal.screen()
      #expect(!waiting.contains("2 of 10."))
      // A list of accounts is what the step asks for, in whatever way it is found.
      try enter("accounts.find { displayName = 'Ada Lovelace' }", until: "2 of 10.", in: terminal)
      try enter("ada = accounts.get 'ada'", until: "ada = accounts.get 'ada'", in: terminal)
      try enter("ada", until: "3 of 10.", in: terminal)
      try enter("merge.plan(ada, 'ada2')", until: "4 of 10.", in: terminal)
      try enter("r = _:commit { reason = 'tour' }", until: "5 of 10.", in: terminal)
      try enter("why(r)", until: "6 of 10.", in: terminal)
      try enter("merge.undo(r)", until: "7 of 10.", in: terminal)
      try enter("accounts.get('tim'):unlink 'password'", until: "8 of 10.", in: terminal)
      try enter("tour \"next\"", until: "9 of 10.", in: terminal)
      try enter("accounts.get('tim'):history()", until: "10 of 10.", in: terminal)
      try enter("help csv", until: "That was the tour.", in: terminal)
      try terminal.leave()
      try terminal.wait(for: "[left with 0]")
    }
  }

  @Test func `is refused with the command in a store that is not the sample`() async throws {
    try await blocking {
      let terminal = try open()
      try enter("tour()", until: "Scripts/console --sample", in: terminal)
      try terminal.leave()
    }
  }

  @Test(arguments: [["-e", "? csv"], ["-e", "help csv"], []])
  func `help needs no parentheses in a shell`(_ arguments: [String]) throws {
    let run = try Program.run(
      arguments, in: folder, input: arguments.isEmpty ? "help csv\n" : nil)
    #expect(run.status == 0 && run.output.contains("show(x):csv"), "\(run.errors)")
  }

  @Test func `help needs no parentheses at the prompt`() async throws {
    try await blocking {
      let terminal = try open()
      try enter("help", until: "See why something was refused.", in: terminal)
      try enter("help totp", until: "multiFactor:enroll", in: terminal)
      try enter("?", until: "help \"merge.plan\" explains one", in: terminal)
      try terminal.leave()
    }
  }
}
