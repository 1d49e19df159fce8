import Foundation
import Testing

@testable import TerminalOutput

@Suite struct TerminalProfileTests {
  @Test func `a file has no colour and takes its width from the environment`() throws {
    let file = try #require(fopen("/dev/null", "w"))
    defer { fclose(file) }

    let profile = TerminalProfile.detect(
      fileDescriptor: fileno(file), environment: ["COLUMNS": "132", "TERM": "xterm"])

    #expect(profile == TerminalProfile(isTerminal: false, width: 132, supportsColor: false))
  }

  @Test(arguments: [[:], ["COLUMNS": ""], ["COLUMNS": "wide"], ["COLUMNS": "-4"]])
  func `the width is eighty by default`(_ environment: [String: String]) {
    #expect(TerminalProfile.detect(fileDescriptor: -1, environment: environment).width == 80)
  }

  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true),
    (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "dumb"], false), ([:], false),
  ])
  func `a terminal has colour unless it is refused`(
    _ environment: [String: String], _ supportsColor: Bool
  ) throws {
    let terminal = try PseudoTerminal(columns: 97)

    let profile = TerminalProfile.detect(
      fileDescriptor: terminal.descriptor, environment: environment)

    #expect(
      profile == TerminalProfile(isTerminal: true, width: 97, supportsColor: supportsColor))
  }

  @Test func `paint leaves a text alone without colour`() {
    #expect(TerminalProfile(isTerminal: true).paint("a", .bad) == "a")
    #expect(
      TerminalProfile(isTerminal: true, supportsColor: true).paint("a", .bad)
        == "\u{1B}[31ma\u{1B}[0m")
  }

  @Test func `a window without room is treated as ten columns`() {
    #expect(TerminalProfile(isTerminal: true, width: 3).width == 10)
  }
}

/// A terminal without a window.
private final class PseudoTerminal {
  let descriptor: Int32

  init(columns: UInt16) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(descriptor >= 0 && ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit {
    close(descriptor)
  }
}
