import Foundation
import Testing
import TestSupport

/// Every step of the tutorial does what the tutorial says, in order, in one folder and one console.
@Suite(.serialized) struct `The tutorial "Your first provider in fifteen minutes"` {
  private enum Step {
    case file(name: String, text: String)
    case shell(command: String, output: [String])
    case console(input: String, output: [String])
  }

  private let folder: TemporaryFolder
  private let steps: [Step]

  init() throws {
    folder = try TemporaryFolder()
    let article = try String(
      contentsOfFile:
        "\(Program.root)/Sources/LuaPlugins/LuaPlugins.docc/YourFirstProvider.md",
      encoding: .utf8)
    steps = try Self.steps(of: article)
  }

  /// Returns the fenced blocks; a file's name is the last word in backticks before its block.
  private static func steps(of article: String) throws -> [Step] {
    let pieces = article.components(separatedBy: "\n```")
    var steps: [Step] = []
    for index in stride(from: 1, to: pieces.count - 1, by: 2) {
      let lines = pieces[index].components(separatedBy: "\n")
      let body = Array(lines.dropFirst())
      switch lines[0] {
      case "lua", "json":
        let name = pieces[index - 1].components(separatedBy: "`").dropLast().last ?? ""
        steps.append(.file(name: name, text: body.joined(separator: "\n") + "\n"))
      case "sh":
        for step in prompts("$ ", in: body) {
          steps.append(.shell(command: step.0, output: step.1))
        }
      case "console":
        for step in prompts("authgraph> ", in: body) {
          steps.append(.console(input: step.0, output: step.1))
        }
      default: throw Failed(description: "nobody runs a block of \(lines[0])")
      }
    }
    return steps
  }

  private static func prompts(_ prompt: String, in lines: [String]) -> [(String, [String])] {
    var steps: [(String, [String])] = []
    for line in lines {
      if line.hasPrefix(prompt) {
        steps.append((String(line.dropFirst(prompt.count)), []))
      } else if !steps.isEmpty {
        steps[steps.count - 1].1.append(line)
      }
    }
    return steps
  }

  @Test func `its provider has less than thirty lines`() {
    for case .file(let name, let text) in steps where name.hasSuffix(".lua") {
      #expect(text.split(separator: "\n").count < 30)
    }
  }

  @Test func `each of its steps does what it says`() async throws {
    try await blocking {
      var player: Player?
      var console: Terminal?
      defer { player?.stop() }
      #expect(steps.count > 20)
      for step in steps {
        switch step {
        case .file(let name, let text): _ = try folder.write(name, text)
        case .shell(let command, _) where command.hasSuffix("&"):
          player = try Player(command, in: folder)
        case .shell(let command, let output):
          #expect(try shell(command, player).map(uncounted) == output.map(uncounted), "\(command)")
        case .console(let input, let output):
          let terminal = try console ?? open()
          console = terminal
          try enter(input, expecting: output, in: terminal, player)
        }
      }
    }
  }

  private func open() throws -> Terminal {
    let terminal = try Terminal(
      "sh -c 'cd \(folder.path) && exec \"\(Program.path)\" console --plugins . --store sqlite:tour.db --create'",
      in: folder, columns: 400)
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  /// Types an input, and compares its output with the tutorial's.
  private func enter(
    _ input: String, expecting output: [String], in terminal: Terminal, _ player: Player?
  ) throws {
    var input = player?.placed(input) ?? input
    if input.contains("TOKEN") { input = input.replacing("TOKEN", with: try token(player)) }
    if input.contains("ADDRESS") {
      input = input.replacing("ADDRESS", with: try address(player))
    }
    try terminal.clear()
    try terminal.type(input)
    try terminal.press("Enter")
    let shown = try finished(terminal)
    let start =
      shown.lastIndex { $0.hasPrefix("authgraph> \(input.prefix(40))") }.map { $0 + 1 } ?? 0
    if let url = shown.first(where: { $0.hasPrefix("http") && $0.contains("/authorize?") }) {
      _ = try folder.write("begun.txt", url)
    }
    let printed = shown[start...].dropLast().map(steady).filter { !$0.isEmpty }
    #expect(printed == output.map { steady(player?.placed($0) ?? $0) }, "\(input)")
  }

  /// Returns the terminal's text once it asks for the next input.
  private func finished(_ terminal: Terminal) throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      var shown = try terminal.screen().components(separatedBy: "\n")
      while shown.last?.trimmingCharacters(in: .whitespaces).isEmpty == true { shown.removeLast() }
      if shown.count > 1, shown.last?.trimmingCharacters(in: .whitespaces) == "authgraph>" {
        return shown
      }
      usleep(30_000)
    }
    throw Failed(description: "the console never asked again:\n\(try terminal.screen())")
  }

  private func token(_ player: Player?) throws -> String {
    let kept = try folder.read("token.txt").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(kept.count > 20)
    return kept
  }

  /// Returns the URL to which the browser is redirected from the address that the console printed.
  private func address(_ player: Player?) throws -> String {
    let begun = try folder.read("begun.txt").trimmingCharacters(in: .whitespaces)
    let answer = try shell(
      "curl -s -o /dev/null -w '%{redirect_url}' '\(begun)&person=70001'", player)
    guard let address = answer.first else {
      throw Failed(description: "the page sent nobody back")
    }
    return address
  }

  private func steady(_ line: String) -> String {
    line.replacing(/\/authorize\?.*/, with: "/authorize?…")
      .replacing(/version [0-9a-f]{12} by [0-9a-f]{12}/, with: "version ID by ID")
      .replacing(/receipt [0-9a-z]{16}/, with: "receipt ID")
      .replacing(/of [A-Za-z0-9]{28}/, with: "of ID")
      .trimmingCharacters(in: .whitespaces)
  }

  /// Removes the number of cases, which grows with the suite.
  private func uncounted(_ line: String) -> String {
    line.replacing(/(\d+|…) cases/, with: "N cases")
  }

  private func shell(_ command: String, _ player: Player?) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(player?.placed(command) ?? command) 2>&1"]
    process.environment = folder.environment.merging([
      "PATH": "\(Program.products.path):/usr/bin:/bin"
    ]) { _, own in own }
    process.currentDirectoryURL = URL(filePath: folder.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }
}

/// The identity provider of the tutorial, on a free port.
private final class Player {
  private static let named = "8400"
  private let process = Process()
  private let port: String

  init(_ command: String, in folder: TemporaryFolder) throws {
    let words = command.split(separator: " ").dropLast().map(String.init)
    process.executableURL = URL(filePath: Program.path)
    process.arguments = words.dropFirst().map { $0 == Self.named ? "0" : $0 } + ["--json"]
    process.environment = folder.environment
    process.currentDirectoryURL = URL(filePath: folder.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let found = said.firstMatch(of: /127\.0\.0\.1:(\d+)/) else {
      throw Failed(description: "the identity provider said \(said)")
    }
    port = String(found.1)
  }

  /// Returns a text with the actual port in place of the tutorial's.
  func placed(_ text: String) -> String { text.replacing(Self.named, with: port) }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
