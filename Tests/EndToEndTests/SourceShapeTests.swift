import Foundation
import Testing

/// Rules for the sources that the compiler does not check.
@Suite struct `The sources` {
  @Test func `have a label for every fourth parameter`() throws {
    var counted = 0
    for name in try names() {
      let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
      for (line, unlabelled) in ParameterScanner(text).counts() {
        counted += 1
        #expect(unlabelled < 4, "\(name):\(line) has \(unlabelled) parameters without labels.")
      }
    }
    #expect(counted > 3000)
  }

  @Test func `ask a store for at most twelve functions`() throws {
    let text = try String(
      contentsOfFile: "\(Self.folder)/AuthCore/Store/AccountStore.swift", encoding: .utf8)
    let protocols = text.components(separatedBy: "\npublic protocol ").dropFirst()
      .map { $0.components(separatedBy: "\n}")[0] }
    #expect(protocols.count == 3)
    let count = protocols.map { $0.components(separatedBy: "\n  func ").count - 1 }.reduce(0, +)
    #expect(5...12 ~= count)
  }

  @Test func `have at most twenty files in a folder`() throws {
    let folders = Dictionary(grouping: try names()) { name in
      name.split(separator: "/").dropLast().joined(separator: "/")
    }
    #expect(folders.count > 100)
    for (folder, files) in folders {
      #expect(files.count <= 20, "\(folder) has \(files.count) files.")
    }
  }

  private static let folder = "\(Program.root)/Sources"

  private func names() throws -> [String] {
    let all = try #require(FileManager.default.enumerator(atPath: Self.folder))
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
  }
}

/// Counts the unlabelled parameters of each function, initializer and subscript in a file.
private struct ParameterScanner {
  private let lines: [String]

  init(_ text: String) { lines = text.components(separatedBy: "\n") }

  /// Words of which one is in each head, and which are faster to search for.
  private static let words = ["func ", "init", "subscript"]

  /// Returns the line of each head, with its number of parameters without labels.
  func counts() -> [(line: Int, unlabelled: Int)] {
    lines.indices.compactMap { index in
      let line = lines[index]
      guard Self.words.contains(where: line.contains),
        // A word in a comment is not code.
        !line.drop(while: { $0 == " " }).hasPrefix("//"),
        let head = line.firstRange(
          of: /\b(func\s+[^(]+|init[?!]?(<[^(]*)?|subscript(<[^(]*)?)\(/)
      else { return nil }
      let rest = lines[index...].prefix(40).joined(separator: "\n")
      let start = line.distance(from: line.startIndex, to: head.upperBound)
      return (index + 1, Self.unlabelled(in: rest.dropFirst(start)))
    }
  }

  /// Counts the parameters that begin with an underscore, up to the closing parenthesis of the list.
  private static func unlabelled(in text: Substring) -> Int {
    var (count, depth, isInText, isBeginning) = (0, 0, false, true)
    var last: Character = " "
    for character in text {
      if character == "\"" && last != "\\" { isInText.toggle() }
      if !isInText {
        if depth == 0 && isBeginning && last == "_" && character == " " { count += 1 }
        switch character {
        case "(", "[", "{", "<": depth += 1
        case ")" where depth == 0: return count
        case ")", "]", "}": depth -= 1
        case ">" where last != "-": depth -= 1
        case "," where depth == 0: isBeginning = true
        case "_", " ", "\n": break
        default: isBeginning = false
        }
      }
      last = character
    }
    return count
  }
}
