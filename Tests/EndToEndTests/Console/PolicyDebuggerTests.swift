import Foundation
import Testing
import TestSupport

/// `policy.debug`, as a person at a keyboard uses it.
@Suite struct `The debugger in a terminal` {
  private let folder: TemporaryFolder
  private static let file = "Scripts/policies/keep-current.lua"

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)' console", in: folder, columns: 130, rows: 60,
      environment: ["TERM": "xterm-256color", "PAGER": "cat"])
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  /// Types a line at the next prompt, and waits for a text.
  private func enter(_ line: String, until expected: String, in terminal: Terminal) throws {
    try terminal.waitForPrompt()
    try terminal.enter(line, until: expected)
  }

  @Test func `steps through a policy that ships`() async throws {
    try await blocking {
      let terminal = try open()
      try enter(
        "policy.debug('\(Self.file)', 3)", until: "keep-current.lua:10: local keep, absorb",
        in: terminal)
      try enter("next", until: "keep-current.lua:11: if keep.isAnonymous", in: terminal)
      try enter("print keep.isAnonymous, absorb.isAnonymous", until: "true, false", in: terminal)
      try enter("where", until: "keep-current.lua:11: a function", in: terminal)
      try enter("break 12", until: "Breakpoint at line 12.", in: terminal)
      try enter("= keep.uid", until: "\"current\"", in: terminal)
      try enter("continue", until: "keep-current.lua:12: return merge", in: terminal)
      try enter("= keep.uid", until: "\"existing\"", in: terminal)
      try enter("keep = absorb", until: "no command \"keep\"", in: terminal)
      try enter("source", until: "> 12 ", in: terminal)
      try enter("continue", until: "existing absorbs current", in: terminal)
      try terminal.leave()
      try terminal.wait(for: "[left with 0]")
    }
  }

  @Test func `ends by quit, and by Ctrl-C`() async throws {
    try await blocking {
      let terminal = try open()
      try enter("policy.debug('\(Self.file)')", until: "keep-current.lua:10:", in: terminal)
      try enter("quit", until: "{} (empty)", in: terminal)
      try enter("print('left' .. 1)", until: "left1", in: terminal)
      try enter("policy.debug('\(Self.file)', 2)", until: "keep-current.lua:10:", in: terminal)
      try terminal.waitForPrompt()
      try terminal.press("C-c")
      try terminal.wait(for: "stopped by Ctrl-C")
      try enter("print('left' .. 2)", until: "left2", in: terminal)
      try terminal.leave()
      try terminal.wait(for: "[left with 0]")
    }
  }

  @Test func `a script without a terminal gives its commands`() throws {
    let output = try folder.lua(
      """
      local r = policy.debug('\(Self.file)', 'a visitor becomes the member', {
        commands = { "step", "locals", "print keep.uid", "quit" } })
      print(r.answer, r.failure)
      """)
    let lines = output.split(separator: "\n").map(String.init)
    #expect(
      lines.first == "\(Self.file):10: local keep, absorb = conflict.current, conflict.existing")
    #expect(lines.contains("debug> locals") && lines.contains("\"current\""))
    #expect(lines.last == "nil\tnil")
  }
}
