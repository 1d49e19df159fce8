import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct KeyValueBlockTests {
  @Test func `values are wrapped beside their keys at forty columns`() {
    #expect(
      RenderingSamples.account.render(for: TerminalProfile(isTerminal: true, width: 40))
        == #"""
        Ada Lovelace
        uid        u1
        email      ada@example.com
        providers  google.com, github.com,
                   facebook.com, password, phone
        photoURL
        note       one\ntwo
        """#)
  }

  @Test func `values keep one line at eighty columns`() {
    #expect(
      RenderingSamples.account.render(for: TerminalProfile(isTerminal: true, width: 80))
        == #"""
        Ada Lovelace
        uid        u1
        email      ada@example.com
        providers  google.com, github.com, facebook.com, password, phone
        photoURL
        note       one\ntwo
        """#)
  }

  @Test func `a hundred and twenty columns change nothing more`() {
    #expect(
      RenderingSamples.account.render(for: TerminalProfile(isTerminal: true, width: 120))
        == #"""
        Ada Lovelace
        uid        u1
        email      ada@example.com
        providers  google.com, github.com, facebook.com, password, phone
        photoURL
        note       one\ntwo
        """#)
  }

  @Test func `long keys have their values below`() {
    let block = KeyValueBlock([("quite a long key", "value of it"), ("b", "")])

    #expect(
      block.render(for: TerminalProfile(isTerminal: true, width: 12)) == """
        quite a lon…
          value of
          it
        b
        """)
  }
}
