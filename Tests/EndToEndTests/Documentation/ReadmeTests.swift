import AuthTesting
import Foundation
import Testing
import TestSupport

/// The sessions in the README and its articles match the program's output.
@Suite struct `The README` {
  private static let tour = "Sources/AdminConsole/AdminConsole.docc/ConsoleTour.md"
  private static let setting = "Sources/AuthCore/AuthCore.docc/AddASetting.md"
  private static let server = "Sources/AuthServer/AuthServer.docc/FirstServer.md"
  private static let plugins = "Sources/LuaPlugins/LuaPlugins.docc/LuaPlugins.md"
  private static let commands = "Sources/Commands/Commands.docc"

  let folder: TemporaryFolder
  let readme: Article

  init() throws {
    folder = try TemporaryFolder()
    readme = try Article("README.md")
    let outcome = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
    #expect(outcome.status == 0)
  }

  @Test(arguments: [("README.md", 6), (Self.tour, 25), (Self.setting, 3)])
  func `its sessions in the console print what they say`(path: String, count: Int) throws {
    let inputs = ShownInput.inputs(of: try Article(path))
    #expect(inputs.count == count)
    let mark = "@@"
    let arguments = inputs.flatMap { ["-e", $0.code, "-e", "print '\(mark)'"] }
    let outcome = try Program.run(
      ["console", "--rehearsal-provider", "fake.example"] + arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let outputs = outcome.output.components(separatedBy: "\(mark)\n")
    for (input, output) in zip(inputs, outputs) {
      let shown = output.split(separator: "\n").map { steady(String($0)) }
      #expect(shown == input.output.map(steady), "\(input.code)")
    }
  }

  @Test(arguments: ["README.md", Self.tour])
  func `its error is the one that is printed`(path: String) throws {
    let article = try Article(path)
    let lines = article.lines("console")
    let start = try #require(lines.firstIndex { $0.hasPrefix("$ authgraph ") })
    let outcome = try Clone(in: folder).shell(String(lines[start].dropFirst("$ ".count)))
    #expect(outcome.status == 1)
    #expect(outcome.output == lines[start + 1] + "\n")
  }

  @Test func `its picture shows its session`() throws {
    let picture = try Article("Documentation/console.svg")
    let drawn = picture.text.components(separatedBy: "\n").filter { $0.hasPrefix("<text ") }
      .map { line in
        line.replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<")
          .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      }
    let session = try #require(readme.blocks("console").first)
    #expect(drawn == session.components(separatedBy: "\n"))
    #expect(readme.text.contains("](Documentation/console.svg)"))
  }

  @Test func `its picture and its session are what the command draws`() throws {
    let outcome = try Program.run(
      ["Scripts/session-svg", "--check", "--program", Program.path], of: "/usr/bin/python3",
      in: folder)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `everything that help lists can be asked about`() throws {
    let overview = try folder.lua("help()")
    let names = overview.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0.contains(".") && !$0.hasSuffix(".") || $0.contains(":") }
    #expect(names.count > 25)
    for name in names { #expect(try folder.lua("help '\(name)'").contains("  ")) }
    #expect(try folder.run("help 'lnik'").errors.contains("Did you mean \"link\"?"))
  }

  /// Runs commands that end; a line that sets a variable applies to those after it.
  @Test(arguments: [
    ("README.md", 8), (Self.server, 4), (Self.plugins, 4), ("\(Self.commands)/CommandLine.md", 11),
    ("\(Self.commands)/ImportAndExport.md", 2),
  ])
  func `its commands work`(path: String, count: Int) throws {
    let clone = try Clone(in: folder)
    _ = try folder.write("clone/users.json", "{\"users\": []}")
    _ = try folder.write("clone/hash.json", #"{"hash-algo": "BCRYPT"}"#)
    var variables: [String] = []
    var commands = 0
    for line in try Article(path).lines("sh") {
      if line.hasPrefix("export ") { variables.append(line) }
      guard line.hasPrefix("authgraph ") else { continue }
      commands += 1
      let outcome = try clone.shell((variables + [line]).joined(separator: "\n"))
      #expect(outcome.status == 0, "\(line)\n\(outcome.output)")
    }
    #expect(commands == count)
  }

  @Test func `its sample goes into a store of its own`() throws {
    let clone = try Clone(in: folder)
    let lines = readme.lines("sh").filter { !$0.hasPrefix("Scripts/") }
    let script = ["unset AUTHGRAPH_STORE", "set -e"] + lines
    let outcome = try clone.shell(script.joined(separator: "\n"))
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(FileManager.default.fileExists(atPath: "\(clone.path)/try.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/.local/share/authgraph"))
  }

  @Test func `its server starts`() async throws {
    let commands = readme.lines("bash").filter { $0.hasPrefix("authgraph ") }.map(words)
    #expect(commands.map { $0[1] } == ["serve"])
    try await blocking {
      for command in commands {
        let server = try RunningServer(command.dropFirst(2) + ["--port", "0"], in: folder)
        #expect(try server.get("/ready").status == 200, "\(command)")
        #expect(try server.end(by: SIGTERM).status == 0)
      }
    }
  }

  /// Runs commands that are servers or need one; each starts from the state that the previous one left.
  @Test func `its servers start, on a copy of the store too`() async throws {
    let commands = try Article(Self.server).lines("bash").filter { $0.hasPrefix("authgraph ") }
      .map(words)
    #expect(commands.map { $0[1] } == ["serve", "serve", "store", "serve"])
    let database = try await blocking { try PostgresServer.shared }
    try await database.withSchema("readme") { url in
      try await blocking {
        for command in commands {
          if command[1] == "store" {
            let local = command.map { $0.hasPrefix("postgres:") ? url : $0 }
              .map { $0.replacing("accounts.db", with: folder.store) }
            let outcome = try Program.run(Array(local.dropFirst()), in: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let shared = "store: \(url)\nkeyFile: accounts.db.key"
            let settings = try folder.read("authgraph.yaml")
            _ = try folder.write(
              "authgraph.yaml", settings.replacing("store: sqlite:accounts.db", with: shared))
          } else {
            if command.contains("--config"), !FileManager.default.fileExists(atPath: config) {
              #expect(try Program.run(["config", "init", config], in: folder).status == 0)
            }
            let server = try RunningServer(command.dropFirst(2) + ["--port", "0"], in: folder)
            #expect(try server.get("/ready").status == 200, "\(command)")
            #expect(try server.end(by: SIGTERM).status == 0)
          }
        }
      }
    }
  }

  private var config: String { "\(folder.path)/authgraph.yaml" }

  /// Returns the words of a command, without its comment.
  private func words(_ command: String) -> [String] {
    command.components(separatedBy: " #")[0].split(separator: " ").map(String.init)
  }

  @Test func `its plug-in is valid`() throws {
    let plugin = try #require(try Article(Self.plugins).blocks("lua").first)
    let file = try folder.write("readme.lua", plugin)
    let outcome = try Clone(in: folder).shell("authgraph plugin check '\(file)'")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("1 checked, 0 errors"))
  }

  @Test func `its provider has as many lines as it says`() throws {
    let lines = try Article("Plugins/discord.com.lua").text.components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("--") }
    #expect(readme.text.contains("\(lines.count) lines of Lua"))
  }

  @Test func `can be read in a few minutes`() {
    let prose = readme.prose.joined(separator: "\n").replacing(/<!--.*?-->/, with: "")
      .replacing(#/\]\([^)]*\)/#, with: "]").replacing(/<[^>]*>/, with: "")
    let words = prose.split(whereSeparator: \.isWhitespace)
      .filter { $0.contains { $0.isLetter || $0.isNumber } }
    #expect(words.count > 700 && words.count < 1_300)
  }

  private func steady(_ line: String) -> String { ShownInput.steady(line) }
}
