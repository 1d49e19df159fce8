import Foundation
import TestSupport

/// A text of the repository with code in fenced blocks.
struct Article {
  /// The path from the root of the repository.
  let path: String
  let text: String

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: "\(Program.root)/\(path)", encoding: .utf8)
  }

  /// The path of its folder from the root of the repository; a period for the root itself.
  var folder: String {
    let names = path.split(separator: "/").dropLast()
    return names.isEmpty ? "." : names.joined(separator: "/")
  }

  /// Returns the blocks of one language.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  /// Returns the lines of all blocks of one language.
  func lines(_ language: String) -> [String] {
    blocks(language).flatMap { $0.components(separatedBy: "\n") }
  }

  /// The lines outside of blocks.
  var prose: [String] {
    var isCode = false
    return text.components(separatedBy: "\n").filter { line in
      let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isCode && !isFence
    }
  }
}

/// An input of the console in an article, and the output that it shows.
struct ShownInput {
  let code: String
  var output: [String] = []

  /// Returns the inputs of an article's blocks, up to the first line for a shell.
  static func inputs(of article: Article) -> [ShownInput] {
    let prompt = "authgraph> "
    var inputs: [ShownInput] = []
    for line in article.lines("console") {
      if line.hasPrefix("$ ") { break }
      if line.hasPrefix(prompt) {
        inputs.append(ShownInput(code: String(line.dropFirst(prompt.count))))
      } else if !inputs.isEmpty {
        inputs[inputs.count - 1].output.append(line)
      }
    }
    return inputs
  }

  /// Returns a line without the parts that differ from run to run: event IDs, the current time, the user's name and the
  /// spaces that compensate for its length.
  static func steady(_ line: String) -> String {
    line.replacing(/[0-9a-hjkmnp-tv-z]{16}/, with: "ID")
      .replacing(/20(2[6-9]|[3-9]\d)-\d\d-\d\d[T ][0-9:.]+Z?/, with: "TIME")
      .replacing(/admin:[^\s:]+/, with: "admin:NAME")
      .replacing(/\s+/, with: " ").replacing(/─+/, with: "─")
      .trimmingCharacters(in: .whitespaces)
  }
}

/// A folder that looks like a clone after `Scripts/console`: scripts, plug-ins and the program in their places.
struct Clone {
  let folder: TemporaryFolder
  let path: String

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    path = "\(folder.path)/clone"
    let files = FileManager.default
    try files.createDirectory(atPath: "\(path)/.build", withIntermediateDirectories: true)
    for name in ["Scripts", "Plugins"] {
      try files.createSymbolicLink(
        atPath: "\(path)/\(name)", withDestinationPath: "\(Program.root)/\(name)")
    }
    try files.createSymbolicLink(
      atPath: "\(path)/.build/release", withDestinationPath: Program.products.path)
  }

  /// Runs a shell script to its end, with the program of this build on the path.
  func shell(_ script: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec 2>&1\n" + script]
    process.environment = folder.environment.merging([
      "PATH": "\(Program.products.path):/usr/bin:/bin"
    ]) { _, own in own }
    process.currentDirectoryURL = URL(filePath: path)
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
