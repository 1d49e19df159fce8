import Foundation
import Testing
import TestSupport

/// The line being typed, as the screen shows it after Tab and Ctrl-C.
@Suite(.serialized) struct `The line on the screen` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(columns: Int, term: String = "xterm-256color") throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)'", in: folder, columns: columns, environment: ["TERM": term])
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  /// Returns the lines of the screen from the first prompt on, without blank ones.
  private func lines(_ terminal: Terminal) throws -> [String] {
    let lines = try terminal.screen().split(separator: "\n")
      .map { String($0.replacing(#/\s+$/#, with: "")) }.filter { !$0.isEmpty }
    return Array(lines.drop { !$0.hasPrefix("authgraph>") })
  }

  @Test(arguments: [80, 140], ["xterm-256color", "dumb"])
  func `Tab with several candidates shows the line once above and once below them`(
    columns: Int, term: String
  ) throws {
    let terminal = try open(columns: columns, term: term)
    try terminal.type("accounts.")
    try terminal.wait(for: "> accounts.")
    try terminal.press("Tab")
    try terminal.wait(for: "accounts.get")
    try terminal.waitForLine("authgraph> accounts.", times: 2)
    let once = try lines(terminal)
    #expect(once.first == "authgraph> accounts.")
    #expect(once.last == "authgraph> accounts.")
    #expect(once.count { $0.contains("authgraph>") } == 2)

    try terminal.press("Tab")
    try terminal.waitForLine("authgraph> accounts.", times: 3)
    #expect(try lines(terminal).count { $0.contains("authgraph>") } == 3)
  }

  @Test(arguments: [80, 140])
  func `Tab in the middle of a line leaves the cursor where it was`(columns: Int) throws {
    let terminal = try open(columns: columns)
    try terminal.type("accounts. -- later")
    try terminal.wait(for: "-- later")
    for _ in 0..<" -- later".count { try terminal.press("Left") }
    try terminal.press("Tab")
    try terminal.waitForLine("authgraph> accounts. -- later", times: 2)
    try terminal.type("count()")
    try terminal.wait(for: "authgraph> accounts.count() -- later")
    try terminal.press("Enter")
    try terminal.wait(for: "\n0\n")
  }

  @Test(arguments: [80, 140])
  func `Tab that completes a part shows the longer line once below the list`(columns: Int) throws {
    let terminal = try open(columns: columns)
    try terminal.type("providers.fo")
    try terminal.press("Tab")
    try terminal.wait(for: "authgraph> providers.forget")
    #expect(try lines(terminal) == ["authgraph> providers.forget"])
  }

  @Test(arguments: [80, 140])
  func `Ctrl-C in a statement of several lines shows each line once`(columns: Int) throws {
    let terminal = try open(columns: columns)
    try terminal.type("for i = 1, 2 do")
    try terminal.press("Enter")
    try terminal.wait(for: "...>")
    try terminal.type("oops(")
    try terminal.wait(for: "...> oops(")
    try terminal.press("Left", "Left")
    try terminal.press("C-c")
    try terminal.wait(for: "^C")
    try terminal.waitForPrompt()
    #expect(
      try lines(terminal) == ["authgraph> for i = 1, 2 do", "      ...> oops(^C", "authgraph>"])
  }

  @Test func `Ctrl-C behind a line that wraps stands at its end`() throws {
    let terminal = try open(columns: 40)
    let text = "x = \"a text that is longer than one row of the terminal is\""
    try terminal.type(text)
    try terminal.wait(for: "terminal is\"")
    try terminal.press("Left", "Left", "Left")
    try terminal.press("C-c")
    try terminal.wait(for: "^C")
    try terminal.waitForPrompt()
    let shown = try lines(terminal).dropLast().joined()
    #expect(shown.replacing(" ", with: "") == "authgraph> \(text)^C".replacing(" ", with: ""))
  }
}

extension Terminal {
  /// Waits until a line stands on the screen a number of times.
  fileprivate func waitForLine(_ line: String, times: Int) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let count = try screen().split(separator: "\n")
        .count { $0.trimmingCharacters(in: .whitespaces) == line }
      if count >= times { return }
      usleep(30_000)
    }
    throw Failed(
      description: "\"\(line)\" is not shown \(times) times; the terminal shows:\n\(try screen())")
  }
}
