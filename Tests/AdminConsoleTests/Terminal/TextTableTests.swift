import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct TextTableTests {
  @Test func `forty columns cut the widest cells`() {
    #expect(
      RenderingSamples.accounts.render(for: TerminalProfile(isTerminal: true, width: 40))
        == #"""
        uid  email          name           links
        ───  ─────────────  ─────────────  ─────
        u1   ada@example.…  Ada Lovelace       3
        u2   a.very.long.…  李明              12
        u3                  evil\u{1B}[2…      0
        """#)
  }

  @Test func `eighty columns cut only the longest address`() {
    #expect(
      RenderingSamples.accounts.render(for: TerminalProfile(isTerminal: true, width: 80))
        == #"""
        uid  email                                              name               links
        ───  ─────────────────────────────────────────────────  ─────────────────  ─────
        u1   ada@example.com                                    Ada Lovelace           3
        u2   a.very.long.address.of.a.person@mail.subdomain.e…  李明                  12
        u3                                                      evil\u{1B}[2J\nu4      0
        """#)
  }

  @Test func `a hundred and twenty columns show everything`() {
    #expect(
      RenderingSamples.accounts.render(for: TerminalProfile(isTerminal: true, width: 120))
        == #"""
        uid  email                                                       name               links
        ───  ──────────────────────────────────────────────────────────  ─────────────────  ─────
        u1   ada@example.com                                             Ada Lovelace           3
        u2   a.very.long.address.of.a.person@mail.subdomain.example.com  李明                  12
        u3                                                               evil\u{1B}[2J\nu4      0
        """#)
  }

  @Test func `a terminal too narrow for columns gets blocks`() {
    #expect(
      RenderingSamples.accounts.render(for: TerminalProfile(isTerminal: true, width: 24))
        == #"""
        uid    u1
        email  ada@example.com
        name   Ada Lovelace
        links  3

        uid    u2
        email  a.very.long.addre
               ss.of.a.person@ma
               il.subdomain.exam
               ple.com
        name   李明
        links  12

        uid    u3
        email
        name   evil\u{1B}[2J\nu4
        links  0
        """#)
  }

  @Test func `colour marks headers and cells, and the widths stay the same`() {
    let table = TextTable(columns: ["a", "b"], rows: [[Cell("1", style: .good), "2"]])

    #expect(
      table.render(for: TerminalProfile(isTerminal: true, supportsColor: true)) == """
        \u{1B}[1ma\u{1B}[0m  \u{1B}[1mb\u{1B}[0m
        \u{1B}[2m─\u{1B}[0m  \u{1B}[2m─\u{1B}[0m
        \u{1B}[32m1\u{1B}[0m  2
        """)
  }

  @Test func `a table without rows is its header, one without columns is nothing`() {
    let profile = TerminalProfile(isTerminal: true)

    #expect(TextTable(columns: ["uid"]).render(for: profile) == "uid\n───")
    #expect(TextTable(columns: [], rows: [["a"]]).render(for: profile).isEmpty)
  }

  @Test func `a short row is filled and surplus cells are not shown`() {
    var table = TextTable(columns: ["a", "b"])
    table.append(["1"])
    table.append(["1", "2", "3"])

    #expect(
      table.render(for: TerminalProfile(isTerminal: true)) == """
        a  b
        ─  ─
        1
        1  2
        """)
  }
}
