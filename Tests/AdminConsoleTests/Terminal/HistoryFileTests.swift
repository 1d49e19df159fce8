import Foundation
import Testing
import TestSupport

@testable import AdminConsole

@Suite struct HistoryFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "history-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "history").path }

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  private func entries() throws -> [String] {
    var file = HistoryFile(path: path)
    return try file.load().entries
  }

  @Test func `entries come back in order, several lines as one entry`() throws {
    try inFolder {
      var file = HistoryFile(path: path)
      let typed = [
        "a", "if x then\n  y()\nend", #"back\slash \n"#, "größe 李", "\\", "one\r\ntwo",
        "\\\u{301}n",
      ]
      for entry in typed { try file.append(entry) }

      #expect(try entries() == typed)
    }
  }

  @Test func `only the owner can read the file`() throws {
    try inFolder {
      try "old\n".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(chmod(path, 0o644) == 0)
      var file = HistoryFile(path: path)
      try file.append("new")

      #expect(try permissions(of: path) == 0o600)
      #expect(try entries() == ["old", "new"])
    }
  }

  @Test func `the oldest entries go beyond the limit`() throws {
    try inFolder {
      let text = (1...HistoryFile.limit).map { "e\($0)\n" }.joined()
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      var file = HistoryFile(path: path)
      _ = try file.load()
      try file.append("newest")

      let kept = try entries()

      #expect(kept.count == HistoryFile.limit)
      #expect(kept.first == "e2")
      #expect(kept.last == "newest")
      #expect(try permissions(of: path) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["history"])
    }
  }

  @Test func `sessions side by side keep each other's entries`() throws {
    try inFolder {
      var one = HistoryFile(path: path)
      var other = HistoryFile(path: path)
      _ = try one.load()
      _ = try other.load()
      try one.append("a")
      try other.append("b")
      try one.append("c")

      #expect(try entries() == ["a", "b", "c"])
    }
  }

  @Test func `a missing file and its missing folder are made`() throws {
    try inFolder {
      try FileManager.default.removeItem(at: folder)
      #expect(try entries().isEmpty)
      var file = HistoryFile(path: path)
      try file.append("a")

      #expect(try entries() == ["a"])
    }
  }

  @Test func `a damaged file is set aside and what can be read goes on`() throws {
    try inFolder {
      let bytes = Data("good\n".utf8) + Data([0xFF, 0xFE, 0x0A]) + Data("fine\n".utf8)
      try bytes.write(to: URL(fileURLWithPath: path))
      var file = HistoryFile(path: path)

      let (entries, warning) = try file.load()

      #expect(entries == ["good", "fine"])
      #expect(warning?.contains("1 unreadable line") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == bytes)
      #expect(try self.entries() == entries)
    }
  }

  @Test func `a line that was cut off does not swallow the next entry`() throws {
    try inFolder {
      try "a\nhalf".write(toFile: path, atomically: true, encoding: .utf8)
      var file = HistoryFile(path: path)
      try file.append("b")

      #expect(try entries() == ["a", "half", "b"])
    }
  }

  @Test func `a path that is no file is reported and left alone`() throws {
    try inFolder {
      mkfifo(path, 0o600)
      var pipe = HistoryFile(path: path)
      var directory = HistoryFile(path: folder.path)
      var nowhere = HistoryFile(path: "/dev/null/history")

      #expect(throws: HistoryFile.Problem.self) { try pipe.load() }
      #expect(throws: HistoryFile.Problem.self) { try pipe.append("a") }
      #expect(throws: HistoryFile.Problem.self) { try directory.load() }
      #expect(throws: HistoryFile.Problem.self) { try directory.append("a") }
      #expect(throws: HistoryFile.Problem.self) { try nowhere.append("a") }
    }
  }

  @Test func `a linked file stays a link`() throws {
    try inFolder {
      let target = folder.appending(path: "target").path
      let text = (1...HistoryFile.limit).map { "e\($0)\n" }.joined()
      try text.write(toFile: target, atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      var file = HistoryFile(path: path)
      _ = try file.load()
      try file.append("newest")

      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
      #expect(try entries().last == "newest")
    }
  }
}
