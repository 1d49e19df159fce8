import AuthCore
import Foundation
import TestSupport
import Testing

/// `authgraph conformance`, and the article about it.
@Suite struct `The command conformance` {
  private let folder: TemporaryFolder
  private let article: Article

  init() throws {
    folder = try TemporaryFolder()
    article = try Article("Sources/Commands/Commands.docc/Conformance.md")
  }

  private func emulator() throws -> RunningServer {
    try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["conformance"] + arguments, in: folder)
  }

  @Test func `the suite passes against the emulator's mode, one line for each area`() async throws {
    try await blocking { [self] in
      let server = try emulator()
      let outcome = try run("--url", server.address)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.dropLast().allSatisfy { $0.hasPrefix("ok      ") }, "\(outcome.output)")
      #expect(lines.last?.hasSuffix(" cases, 0 failed") == true)
      #expect(outcome.errors.contains("creates and deletes accounts"))
    }
  }

  @Test func `a failed case is printed, in JSON and for JUnit too, and makes the status 1`()
    async throws
  {
    let cases = try folder.write(
      "cases.json",
      #"""
      {"area": "area", "cases": [
        {"name": "good", "steps": [{"send": "GET /identitytoolkit.googleapis.com/v1/projects"}]},
        {"name": "bad", "steps": [{"send": "POST /identitytoolkit.googleapis.com/v1/accounts:signUp",
          "body": {"email": "${email}", "password": "secret12"}, "answer": {"email": "other"}}]}
      ]}
      """#)
    try await blocking { [self] in
      let server = try emulator()
      let report = "\(folder.path)/report.xml"
      let outcome = try run("--url", server.address, "--cases", cases, "--junit", report)
      #expect(outcome.status == 1)
      for words in [
        "failed  area (1 of 2 cases)", "          bad\n", "step 1: POST ",
        "expected  email: \"other\"",
        "2 cases, 1 failed",
      ] {
        #expect(outcome.output.contains(words), "\(words)\n\(outcome.output)")
      }
      #expect(!outcome.output.contains("secret12"))
      let xml = try folder.read("report.xml")
      #expect(xml.contains("<testsuite name=\"area\" tests=\"2\" failures=\"1\""))

      let json = try run("--url", server.address, "--cases", cases, "--json")
      let answer = try JSONValue(text: json.output)
      #expect(json.status == 1 && answer["passed"] == false && answer["failed"] == 1)
    }
  }

  @Test func `only some cases run, and a text without a case is an error`() async throws {
    try await blocking { [self] in
      let server = try emulator()
      let some = try run("--url", server.address, "--only", "accounts:delete")
      #expect(some.status == 0 && some.output.hasPrefix("ok      accounts:delete"))
      let none = try run("--url", server.address, "--only", "no such words")
      #expect(none.status == 1 && none.errors.contains("(only)"))
      // A case of production alone does not count as passed in an emulator.
      let other = try run("--url", server.address, "--only", "The password policy")
      #expect(other.status == 1 && other.errors.contains("of the mode emulator"))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted run leaves the project as it was`(_ signal: Int32) async throws {
    try await blocking { [self] in
      let server = try emulator()
      let project = "\(server.address)/identitytoolkit.googleapis.com"
      func ask(_ path: String) throws -> String {
        try RunningProvider.curl(["-H", "Authorization: Bearer owner", project + path])
      }
      let configuration = "/v2/projects/demo-project/config"
      let before = try ask(configuration)
      let process = Process()
      process.executableURL = URL(filePath: Program.path)
      process.arguments = ["conformance", "--url", server.address]
      process.environment = folder.environment
      let output = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The first areas are done, so a case is at work.
      _ = output.fileHandleForReading.availableData
      kill(process.processIdentifier, signal)
      let rest = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 130)
      #expect(String(decoding: rest, as: UTF8.self).contains("not run: interrupted"))
      #expect(try ask(configuration) == before)
      let accounts = try JSONValue(text: try ask("/v1/projects/demo-project/accounts:batchGet"))
      #expect(accounts["users"] == nil || accounts["users"] == [], "\(accounts)")
    }
  }

  @Test func `another machine's server needs consent, and production a token`() throws {
    let remote = try run("--url", "https://auth.example.com")
    #expect(remote.status == 1 && remote.errors.contains("--yes"))
    let plain = try run("--url", "http://auth.example.com", "--yes")
    #expect(plain.status == 1 && plain.errors.contains("has no TLS"))
    let production = try run("--url", "http://127.0.0.1:1", "--mode", "production")
    #expect(production.status == 1 && production.errors.contains("(admin-token-file)"))
    let nowhere = try run()
    #expect(nowhere.status == 1 && nowhere.errors.contains("(url)"))
    let closed = try run("--url", "http://127.0.0.1:1")
    #expect(closed.status == 1 && closed.errors.contains("network-request-failed"))
  }

  @Test func `the list names each case, with its mode if it has one alone`() throws {
    let list = try run("--list")
    #expect(list.status == 0)
    let lines = list.output.split(separator: "\n")
    #expect(lines.count > 400 && Set(lines).count == lines.count)
    #expect(lines.contains { $0.hasSuffix(" (production only)") })
    let emulators = try run("--list", "--mode", "emulator")
    #expect(!emulators.output.contains("(production only)"))
    let json = try JSONValue(text: try run("--list", "--json").output)
    guard case .array(let items) = json else { throw Failed(description: "no list") }
    #expect(items.count == lines.count)
  }

  @Test func `a fault in a file of cases is named`() throws {
    let file = try folder.write(
      "cases.json",
      #"{"area": "a", "cases": [{"name": "n", "steps": [{"send": "GET /x", "answr": {}}]}]}"#)
    let outcome = try run("--url", "http://127.0.0.1:1", "--cases", file)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cases.json, “n”, step 1: Unknown member \"answr\""))
    #expect(outcome.errors.contains("Did you mean \"answer\"?"))
  }

  @Test func `the article's case and commands work`() async throws {
    let commands = article.lines("bash").filter { $0.hasPrefix("authgraph conformance ") }
      .map { $0.split(separator: " ").dropFirst().map(String.init) }
    #expect(commands.count == 3)
    let example = try #require(article.blocks("json").first)
    let cases = try folder.write("sign-up.json", example)
    let configuration = try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9098
      store: sqlite:accounts.db
      project: demo-project
      listen: { port: 0 }
      rateLimits:
        requestsPerAddressAndMinute: 0
        signUpsPerAddressAndHour: 0
        messagesPerAddressAndHour: 0
        attemptsPerAccountAndAddressAndHour: 0
        attemptsPerAccountAndHour: 0

      """)
    try await blocking { [self] in
      let token = try Clone(in: folder).shell(
        "unset AUTHGRAPH_STORE\nexport AUTHGRAPH_CONFIG=\(configuration)\n"
          + article.blocks("sh").joined(separator: "\n"))
      #expect(token.status == 0, "\(token.output)")
      let emulator = try emulator()
      let production = try RunningServer(["--config", configuration], in: folder)
      for command in commands {
        var words = command.map {
          $0.replacing("http://127.0.0.1:9099", with: emulator.address)
            .replacing("http://127.0.0.1:9098", with: production.address)
            .replacing("sign-up.json", with: cases)
            .replacing("token.txt", with: "\(folder.path)/clone/token.txt")
            .replacing("conformance.xml", with: "\(folder.path)/conformance.xml")
        }
        // The whole suite runs in tests of its own.
        if !words.contains("--cases") { words += ["--only", "accounts:delete"] }
        let outcome = try Program.run(words, in: folder)
        #expect(outcome.status == 0, "\(command)\n\(outcome.output)\(outcome.errors)")
      }
    }
  }

  @Test func `the article names every option`() throws {
    let help = try Program.run(["help", "conformance"], in: folder).output
    for option in help.matches(of: /--[a-z]+(-[a-z]+)*/).map({ String($0.0) })
    where !["--version", "--help", "--scope"].contains(option) {
      #expect(article.text.contains("`\(option)`"), "\(option)")
    }
  }
}
