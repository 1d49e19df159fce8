import Foundation
import Testing
import TestSupport

/// Every recipe of the console's cookbook prints what it shows, on a fresh sample.
@Suite struct `The cookbook` {
  private static let path = "Sources/AdminConsole/AdminConsole.docc/Cookbook.md"

  /// The recipes that can run here: one needs jq, which no other test does.
  static let recipes: [Recipe] = {
    let all = (try? Recipe.all(in: Article(path))) ?? []
    let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
    return all.filter { hasJQ || !$0.text.contains("| jq ") }
  }()

  @Test func `has at least thirty recipes`() {
    #expect(Self.recipes.count >= 30)
  }

  @Test(arguments: recipes)
  func `each recipe prints what it shows`(_ recipe: Recipe) throws {
    let run = try recipe.run()
    let shown = recipe.text.components(separatedBy: "\n").map(ShownInput.steady)
    let printed = run.components(separatedBy: "\n").map(ShownInput.steady)
    #expect(printed == shown)
  }

  @Test(arguments: recipes.filter(\.isOfServersToo))
  func `each recipe prints the same on a server`(_ recipe: Recipe) async throws {
    try await blocking {
      let (near, far) = try (recipe.run(), recipe.run(onServer: true))
      let lines = [near, far].map { $0.components(separatedBy: "\n").map(ShownInput.steady) }
      #expect(lines[1] == lines[0])
    }
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil))
  func `is written anew`() throws {
    var text = try Article(Self.path).text
    for recipe in Self.recipes { text = text.replacing(recipe.text, with: try recipe.run()) }
    try text.write(
      toFile: "\(Program.root)/\(Self.path)", atomically: true, encoding: .utf8)
  }
}

/// Every section of the cookbook of policies prints what it shows, on a fresh sample.
@Suite struct `The cookbook of policies` {
  private static let path = "Sources/LuaPlugins/LuaPlugins.docc/PolicyCookbook.md"

  static let recipes = (try? Recipe.all(in: Article(path))) ?? []

  @Test func `has a section for each policy that ships`() throws {
    let text = try Article(Self.path).text
    let files = try FileManager.default.contentsOfDirectory(
      atPath: "\(Program.root)/Scripts/policies")
    for file in files where file.hasSuffix(".lua") {
      #expect(text.contains("`\(file)`"), "\(file)")
    }
    #expect(Self.recipes.count >= 16)
  }

  @Test(arguments: recipes)
  func `each section prints what it shows`(_ recipe: Recipe) throws {
    let shown = recipe.text.components(separatedBy: "\n").map(ShownInput.steady)
    let printed = try recipe.run().components(separatedBy: "\n").map(ShownInput.steady)
    #expect(printed == shown)
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil))
  func `is written anew`() throws {
    var text = try Article(Self.path).text
    for recipe in Self.recipes { text = text.replacing(recipe.text, with: try recipe.run()) }
    try text.write(
      toFile: "\(Program.root)/\(Self.path)", atomically: true, encoding: .utf8)
  }
}

/// The lines of "Moving from Firebase" do what the article says, in order, in one store.
@Suite struct `The article "Moving from Firebase"` {
  private static let path = "Sources/AuthServer/AuthServer.docc/MovingFromFirebase.md"

  @Test func `prints what it shows`() throws {
    let article = try Article(Self.path)
    let run = try Recipe(description: "the move", text: article.text).run(onSample: false)
    if ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil {
      try run.write(
        toFile: "\(Program.root)/\(Self.path)", atomically: true, encoding: .utf8)
    }
    let shown = article.text.components(separatedBy: "\n").map(ShownInput.steady)
    #expect(run.components(separatedBy: "\n").map(ShownInput.steady) == shown)
  }
}

/// A section of the cookbook: its files, and the inputs of a console and a shell.
struct Recipe: CustomStringConvertible, Sendable {
  /// The heading: a question.
  let description: String
  /// The section after its heading.
  let text: String

  /// Returns the sections that have something to run.
  static func all(in article: Article) -> [Recipe] {
    article.text.components(separatedBy: "\n## ").dropFirst().compactMap { section in
      let lines = section.components(separatedBy: "\n")
      let text = lines.dropFirst().joined(separator: "\n")
      return text.contains("```console\n") ? Recipe(description: lines[0], text: text) : nil
    }
  }

  /// True if its console may be on a server.
  ///
  /// A server has no provider that accepts any secret, and loads plug-ins from its own folders alone.
  var isOfServersToo: Bool {
    text.contains("authgraph> ") && !text.contains("fake.example") && !text.contains("plugins.load")
  }

  /// Runs the recipe on a fresh sample, or in an empty store; returns its text with the output of this run.
  ///
  /// On a server, the inputs of the console go to a server of the same store.
  func run(onSample: Bool = true, onServer: Bool = false) throws -> String {
    let folder = try TemporaryFolder()
    let clone = try Clone(in: folder)
    if onSample {
      let sample = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
      guard sample.status == 0 else { throw Failed(description: sample.errors) }
    }
    let server = onServer ? try ConsoleServer(in: folder) : nil
    let console = server?.command ?? "authgraph console --rehearsal-provider fake.example"
    defer { withExtendedLifetime(server) {} }
    var pieces = text.components(separatedBy: "```")
    for index in stride(from: 1, to: pieces.count, by: 2) {
      let lines = pieces[index].components(separatedBy: "\n")
      switch lines[0] {
      case "console": pieces[index] = try run(Array(lines.dropFirst()), console, in: clone)
      case "text": continue
      default:
        // The last name in backticks before a block is the name of the file.
        let name = try (pieces[index - 1].components(separatedBy: "`").dropLast().last)
          .unwrapped("name of the file")
        let file = lines.dropFirst().joined(separator: "\n")
        try file.write(toFile: "\(clone.path)/\(name)", atomically: true, encoding: .utf8)
      }
    }
    return pieces.joined(separator: "```")
  }

  /// Runs the inputs of one block, those of the console that follow each other as one session.
  private func run(_ lines: [String], _ console: String, in clone: Clone) throws -> String {
    var shown = ["console"]
    var session: [String] = []
    func finishSession() throws {
      guard !session.isEmpty else { return }
      let words = session.flatMap { ["-e", quoted($0), "-e", quoted("print '\(Self.mark)'")] }
      let outputs = try clone.shell(
        "\(console) " + words.joined(separator: " ")
      ).output.components(separatedBy: "\(Self.mark)\n")
      // After an error, the inputs behind it have no output.
      for (place, input) in session.enumerated() {
        shown.append("authgraph> \(input)")
        if place < outputs.count { shown += Self.lines(of: outputs[place]) }
      }
      session = []
    }
    for line in lines {
      if line.hasPrefix("authgraph> ") {
        session.append(String(line.dropFirst("authgraph> ".count)))
      } else if line.hasPrefix("$ ") {
        try finishSession()
        shown.append(line)
        shown += Self.lines(of: try clone.shell(String(line.dropFirst(2))).output)
      }
    }
    try finishSession()
    return (shown + [""]).joined(separator: "\n")
  }

  private static let mark = "@@"

  private static func lines(of output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.reversed().drop(while: \.isWhitespace).reversed())
    }.dropLast(while: \.isEmpty)
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/// A server of the folder's store, with a token that may do everything.
private struct ConsoleServer {
  private let server: RunningServer
  /// The command of a console on it.
  let command: String

  init(in folder: TemporaryFolder) throws {
    let file = try folder.write(
      "server.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: \(folder.environment["AUTHGRAPH_STORE"] ?? "")
      listen: { port: 0 }

      """)
    let made = try Program.run(
      [
        "admin-token", "new", "--config", file, "--name", "ada", "--scope",
        "console:write,accounts:write,merge,audit,config,plugins,server",
      ], in: folder, environment: ["AUTHGRAPH_STORE": ""])
    guard made.status == 0 else { throw Failed(description: made.errors) }
    let token = try folder.write("ada.token", made.output)
    chmod(token, 0o600)
    server = try RunningServer(["--config", file], in: folder)
    command = "authgraph console --server \(server.address) --token-file \(token)"
  }
}

extension [String] {
  /// Returns the list without the last elements that match.
  fileprivate func dropLast(while isMatch: (String) -> Bool) -> [String] {
    Array(reversed().drop(while: isMatch).reversed())
  }
}
