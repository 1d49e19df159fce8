import Testing
import TerminalOutput

@testable import AdminConsole

@Suite struct `Prose on a terminal` {
  private static let text =
    "undo-refused: Changes made since would be lost: displayName. Look at account:history(), then "
    + "force it with { force = true }."

  private func lines(_ text: String, _ width: Int) -> [String] {
    let profile = TerminalProfile(isTerminal: true, width: width)
    return Prose(text).painted(for: profile).text(for: profile)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: [60, 80])
  func `breaks between words, and indents further lines`(_ width: Int) {
    let lines = lines(Self.text, width)
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(lines)")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") }, "\(lines)")
    let words = lines.flatMap { $0.split(separator: " ") }
    #expect(words == Self.text.split(separator: " "))
  }

  @Test func `that fits stays one line, and so does all of it in a file`() {
    #expect(lines("short", 60) == ["short"])
    let profile = TerminalProfile(isTerminal: false)
    #expect(Prose(Self.text).painted(for: profile).text(for: profile) == Self.text)
  }

  @Test(arguments: [60, 80])
  func `no text of the help is broken inside a word`(_ width: Int) {
    let texts =
      [HelpText.overview, HelpText.all, HelpText.language]
      + (HelpTopic.all + HelpTopic.surroundings).map(\.text)
    for text in texts {
      let wrapped = Prose.wrapped(text, to: width)
      #expect(
        wrapped.split(separator: "\n").allSatisfy { String($0).displayWidth <= width }, "\(wrapped)"
      )
      let words = { (text: String) in text.split { $0.isWhitespace } }
      // A word that is longer than a line has to be broken.
      if words(text).allSatisfy({ String($0).displayWidth < width - 8 }) {
        #expect(words(wrapped) == words(text))
      }
    }
  }
}
