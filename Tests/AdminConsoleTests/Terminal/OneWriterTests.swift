import Foundation
import Testing

/// Finds all output that bypasses `TextOutput`, so that a new way to print cannot be forgotten.
@Suite struct OneWriterTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The calls that write to a stream of the process.
  private static let writes = [
    #"(^|[^\w.])print\("#, #"Swift\.print\("#, #"debugPrint\("#, #"\bdump\((?!.*to:)"#,
    "FileHandle\\.standard(Output|Error)",
    #"handle = \.standard(Output|Error)"#, #"\bfputs\("#, #"\bfwrite\("#, #"\bv?f?printf\("#,
    #"\bputs\("#,
    #"\bwrite\((1|2|STD)"#, #"STD(OUT|ERR)_FILENO"#, #"\bstd(out|err)\b"#,
    "/dev/(tty|stdout|stderr)", "NSLog",
    #"\bperror\("#,
  ]

  /// Parts of these calls that are faster to search for.
  private static let words = [
    "print", "dump(", ".standard", "put", "fwrite(", "write(", "STD", "std", "/dev/", "NSLog",
    "perror(",
  ]

  /// The files that may write: the writer itself, the line editor, whose texts are already neutralised, and separate
  /// programs that show nothing of a store.
  private static let allowed = [
    "TerminalOutput/TextOutput.swift", "CEditLine/", "CLuaShim/",
    // Examples in Lua, which has a print function of its own.
    "AdminConsole/Help/",
    // Opens the terminal for reading, and writes through `TextOutput`.
    "AdminConsole/Terminal/TerminalPrompt.swift",
  ]

  @Test func `C7: nothing but TextOutput writes to standard output or standard error`() throws {
    let sources = Self.root.appending(path: "Sources")
    let patterns = try Self.writes.map { ($0, try Regex($0)) }
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var looked = 0
    for case let name as String in files
    where [".swift", ".c"].contains(where: name.hasSuffix) && !name.contains(".docc/") {
      guard !Self.allowed.contains(where: name.hasPrefix) else { continue }
      looked += 1
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        let code = line.drop { $0 == " " }
        // The body of a declaration with that name is examined as well.
        guard !code.hasPrefix("//"), !code.hasPrefix("static func print(") else { continue }
        guard Self.words.contains(where: code.contains) else { continue }
        for (pattern, regex) in patterns where code.contains(regex) {
          Issue.record("\(name):\(index + 1) \(pattern): \(code)")
        }
      }
    }
    #expect(looked > 300)
  }
}
