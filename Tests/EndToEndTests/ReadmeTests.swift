import AuthTesting
import Foundation
import Testing

/// What the README shows is what happens.
@Suite struct `The README` {
  let folder: TemporaryFolder
  let text: String

  init() throws {
    folder = try TemporaryFolder()
    text = try String(contentsOfFile: "\(Program.root)/README.md", encoding: .utf8)
    let outcome = try Program.run(["import", "Scripts/samples/people.json"], in: folder)
    #expect(outcome.status == 0)
  }

  /// The blocks of one language.
  private func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  @Test func `its tour of the console prints what it says`() throws {
    var inputs: [(code: String, output: [String])] = []
    for line in blocks("console").flatMap({ $0.components(separatedBy: "\n") }) {
      if line.hasPrefix("$ ") { break }
      if line.hasPrefix("authgraph> ") {
        inputs.append((String(line.dropFirst("authgraph> ".count)), []))
      } else if !inputs.isEmpty {
        inputs[inputs.count - 1].output.append(line)
      }
    }
    #expect(inputs.count > 10)
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

  @Test func `its commands work`() throws {
    let users = try folder.write("users.json", "{\"users\": []}")
    _ = try folder.write("hash.json", #"{"hash-algo": "BCRYPT"}"#)
    let commands = blocks("sh").flatMap { $0.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("authgraph ") }
    #expect(commands.count == 12)
    for command in commands {
      let line = command.replacing("authgraph ", with: "'\(Program.path)' ")
        .replacing("users.json", with: users).replacing(
          "hash.json", with: "\(folder.path)/hash.json"
        )
        .replacing("users-copy.json", with: "\(folder.path)/users-copy.json")
        .replacing("authgraph.yaml", with: "\(folder.path)/authgraph.yaml")
      #expect(try shell(line).status == 0, "\(command)")
    }
  }

  /// Commands that need a server or are one; each goes on where the one before it ended.
  @Test func `its servers start, on a copy of the store too`() async throws {
    let commands = blocks("bash").flatMap { $0.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("authgraph ") }.map(words)
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

  /// The words of a command, without what a comment says.
  private func words(_ command: String) -> [String] {
    command.components(separatedBy: " #")[0].split(separator: " ").map(String.init)
  }

  @Test func `its plug-in is one`() throws {
    let plugin = try #require(blocks("lua").first)
    let file = try folder.write("readme.lua", plugin)
    let outcome = try shell("'\(Program.path)' plugin check \(file)")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("1 checked, 0 errors"))
  }

  @Test func `its error is the one that is printed`() throws {
    let lines = blocks("console").flatMap { $0.components(separatedBy: "\n") }
    let start = try #require(lines.firstIndex { $0.hasPrefix("$ authgraph ") })
    let outcome = try shell(
      lines[start].replacing("$ authgraph", with: "'\(Program.path)'"))
    #expect(outcome.status == 1)
    #expect(outcome.output == lines[start + 1] + "\n")
  }

  @Test func `everything that help lists can be asked about`() throws {
    let overview = try folder.lua("help()")
    let names = overview.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0.contains(".") && !$0.hasSuffix(".") || $0.contains(":") }
    #expect(names.count > 25)
    for name in names { #expect(try folder.lua("help '\(name)'").contains("  ")) }
    #expect(try folder.run("help 'lnik'").errors.contains("Did you mean \"link\"?"))
  }

  /// A line without what differs from run to run: event IDs, the time of now, the user's name and the
  /// spaces that make up for its length.
  private func steady(_ line: String) -> String {
    line.replacing(/[0-9a-hjkmnp-tv-z]{16}/, with: "ID")
      .replacing(/20(2[6-9]|[3-9]\d)-\d\d-\d\d[T ][0-9:.]+Z?/, with: "TIME")
      .replacing(/admin:[^\s:]+/, with: "admin:NAME")
      .replacing(/\s+/, with: " ").replacing(/─+/, with: "─")
      .trimmingCharacters(in: .whitespaces)
  }

  private func shell(_ command: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command + " 2>&1"]
    process.environment = folder.environment
    process.currentDirectoryURL = URL(filePath: Program.root)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
