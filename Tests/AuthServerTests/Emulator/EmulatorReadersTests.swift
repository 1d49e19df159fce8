import Foundation
import Testing

@Suite struct `The emulator's behaviour` {
  /// Every source file except the emulator's own, by its path.
  private static let sources: [String: String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    let own = paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Emulator/") }
    return Dictionary(
      uniqueKeysWithValues: own.map { path in
        (path, (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? "")
      })
  }()

  @Test func `is chosen in few files`() {
    let choices = /isEmulator|[!=]= \.(emulator|production|unsigned)\b|case \.(emulator|unsigned)\b/

    // The conformance suite asks servers, and only names their modes.
    let readers = Self.sources.filter {
      !$0.key.contains("Conformance") && $0.value.contains(choices)
    }.keys.sorted()

    #expect(Self.sources.count > 500)
    #expect((1...6).contains(readers.count), "\(readers)")
  }

  @Test func `is known to the rules by functions alone`() throws {
    let folder = "AuthCore/Quirks/"
    let file = "\(folder)EmulatorQuirks.swift"
    let declarations = (Self.sources[file] ?? "").matches(of: /public var (\w+) = (true|false)/)
    let names = declarations.map { String($0.output.1) }
    let reads = try Regex("uirks\\.(\(names.joined(separator: "|")))\\b")

    let readers = Self.sources.filter { !$0.key.hasPrefix(folder) && $0.value.contains(reads) }
      .keys.sorted()

    #expect(names.count == 22)
    #expect(readers.isEmpty, "\(readers)")
  }
}
