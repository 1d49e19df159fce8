import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct TreeTextTests {
  @Test func `labels are cut at forty columns`() {
    #expect(
      RenderingSamples.graph.render(for: TerminalProfile(isTerminal: true, width: 40))
        == #"""
        account u1
        ├── google.com 1098237
        │   └── email ada@example.com
        ├── absorbed u2
        │   ├── github.com 583231
        │   └── password with quite a long labe…
        └── phone \u{202E}+1
        """#)
  }

  @Test func `labels are whole at eighty columns`() {
    #expect(
      RenderingSamples.graph.render(for: TerminalProfile(isTerminal: true, width: 80))
        == #"""
        account u1
        ├── google.com 1098237
        │   └── email ada@example.com
        ├── absorbed u2
        │   ├── github.com 583231
        │   └── password with quite a long label that goes on
        └── phone \u{202E}+1
        """#)
  }

  @Test func `a hundred and twenty columns change nothing more`() {
    #expect(
      RenderingSamples.graph.render(for: TerminalProfile(isTerminal: true, width: 120))
        == #"""
        account u1
        ├── google.com 1098237
        │   └── email ada@example.com
        ├── absorbed u2
        │   ├── github.com 583231
        │   └── password with quite a long label that goes on
        └── phone \u{202E}+1
        """#)
  }

  @Test func `a chain deeper than the window keeps its labels readable`() {
    var node = TreeText.Node("u0")
    for number in 1...500 { node = TreeText.Node(Cell("u\(number)"), [node]) }

    let lines = TreeText(node).render(for: TerminalProfile(isTerminal: true, width: 20))
      .split(separator: "\n")

    #expect(lines.count == 501)
    #expect(lines.last == "…     └── u0")
    #expect(lines.allSatisfy { String($0).displayWidth <= 20 })
  }
}
