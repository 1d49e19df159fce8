import Testing

@testable import TerminalOutput

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("Ada Lovelace", "Ada Lovelace"),
    ("Zoë 李 — 👩‍👩‍👧 ❤️", "Zoë 李 — 👩‍👩‍👧 ❤️"),
    ("می‌خواهم", "می‌خواهم"),
    ("e\u{301}", "e\u{301}"),
  ])
  func `ordinary names stay as they are`(_ raw: String, _ shown: String) {
    #expect(VisibleText.neutralised(raw) == shown)
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#),
    ("a\r\nadmin\tyes", #"a\r\nadmin\tyes"#),
    ("\u{9B}31m", #"\u{9B}31m"#),
    ("\u{7F}\u{0}\u{8}", #"\u{7F}\u{0}\u{8}"#),
    ("a\u{202E}gpj.exe\u{2066}", #"a\u{202E}gpj.exe\u{2066}"#),
    ("a\u{200B}b\u{FEFF}c\u{AD}d", #"a\u{200B}b\u{FEFF}c\u{AD}d"#),
    ("a\u{200D}b\u{200C}", #"a\u{200D}b\u{200C}"#),
    ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
    ("\u{3164}\u{115F}\u{E0041}\u{E000}", #"\u{3164}\u{115F}\u{E0041}\u{E000}"#),
    ("a\u{FE0F}", #"a\u{FE0F}"#),
    ("\u{301}a", #"\u{301}a"#),
  ])
  func `a character without a glyph becomes a visible escape`(_ raw: String, _ shown: String) {
    #expect(VisibleText.neutralised(raw) == shown)
  }

  @Test func `marks piled on one letter are shown beyond the fourth`() {
    let piled = "o" + String(repeating: "\u{301}", count: 6)

    let shown = VisibleText.neutralised(piled)

    #expect(shown == "o\u{301}\u{301}\u{301}\u{301}" + #"\u{301}\u{301}"#)
  }

  @Test func `line feeds may remain, carriage returns never`() {
    #expect(VisibleText.neutralised("a\r\nb", keepingNewlines: true) == "a\\r\nb")
  }

  @Test func `no scalar below the printable range survives`() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = VisibleText.neutralised("x\(scalar)y")
      let hasControl = shown.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
      }
      #expect(!hasControl, "U+\(String(value, radix: 16))")
    }
  }
}
