import Foundation
import Testing

@testable import AdminConsole

@Suite struct `The reference of the console` {
  @Test func `is made from the entries of help`() throws {
    let article = "\(ConsoleHome.root)/Sources/AdminConsole/AdminConsole.docc/ConsoleReference.md"
    if ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil {
      try HelpReference.markdown.write(toFile: article, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOfFile: article, encoding: .utf8)

    #expect(written == HelpReference.markdown, "AUTHGRAPH_WRITE_REFERENCE=1 writes it anew")
  }

  @Test func `has every entry once`() {
    let lines = HelpReference.markdown.components(separatedBy: "\n")
    for topic in HelpTopic.all + HelpTopic.surroundings {
      #expect(lines.count { $0 == "### \(topic.name)" } == 1, "\(topic.name)")
    }
  }
}
