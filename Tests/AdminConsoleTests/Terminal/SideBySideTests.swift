import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct SideBySideTests {
  @Test func `forty columns show each field as a block`() {
    #expect(
      RenderingSamples.plan.render(for: TerminalProfile(isTerminal: true, width: 40))
        == #"""
        ≠ uid
        kept    u1
        other   u2
        result  u1
        rule    –

          email
        kept    ada@x.org
        other   ada@x.org
        result  ada@x.org
        rule    keep

        ≠ photoURL
        kept    https://img.example.com/u/1/a.pn
                g
        other   https://img.example.com/u/1/b.pn
                g
        result  https://img.example.com/u/1/b.pn
                g
        rule    newest

        ≠ phone
        kept    –
        other   +15550100
        result  +15550100
        rule    union
        """#)
  }

  @Test func `eighty columns wrap what differs and hide nothing`() {
    #expect(
      RenderingSamples.plan.render(for: TerminalProfile(isTerminal: true, width: 80))
        == #"""
          field     kept                 other                result              rule
        ──────────  ───────────────────  ───────────────────  ──────────────────  ──────
        ≠ uid       u1                   u2                   u1                  –
          email     ada@x.org            ada@x.org            ada@x.org           keep
        ≠ photoURL  https://img.example  https://img.example  https://img.exampl  newest
                    .com/u/1/a.png       .com/u/1/b.png       e.com/u/1/b.png
        ≠ phone     –                    +15550100            +15550100           union
        """#)
  }

  @Test func `a hundred and twenty columns stand side by side`() {
    #expect(
      RenderingSamples.plan.render(for: TerminalProfile(isTerminal: true, width: 120))
        == #"""
          field     kept                              other                             result                            rule
        ──────────  ────────────────────────────────  ────────────────────────────────  ────────────────────────────────  ──────
        ≠ uid       u1                                u2                                u1                                –
          email     ada@x.org                         ada@x.org                         ada@x.org                         keep
        ≠ photoURL  https://img.example.com/u/1/a.pn  https://img.example.com/u/1/b.pn  https://img.example.com/u/1/b.pn  newest
                    g                                 g                                 g
        ≠ phone     –                                 +15550100                         +15550100                         union
        """#)
  }

  @Test func `differences are coloured and equal fields are not`() {
    let comparison = SideBySide(
      sides: ["a", "b"], rows: [.init("x", sides: ["1", "2"]), .init("y", sides: ["1", "1"])])

    let lines = comparison.render(for: TerminalProfile(isTerminal: true, supportsColor: true))
      .split(separator: "\n")

    #expect(
      lines[2...] == [
        "\u{1B}[33m≠ x\u{1B}[0m      \u{1B}[33m1\u{1B}[0m  \u{1B}[33m2\u{1B}[0m", "  y      1  1",
      ])
  }
}
