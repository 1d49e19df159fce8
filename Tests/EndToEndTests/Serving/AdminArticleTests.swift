import AuthCore
import Foundation
import Testing
import TestSupport

/// The commands in the articles on the admin API and on running a server do what the articles say.
@Suite struct `The articles on tokens and metrics` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func blocks(_ language: String, of article: String) throws -> [String] {
    let path = "\(Program.root)/Sources/AuthServer/AuthServer.docc/\(article).md"
    return try String(contentsOfFile: path, encoding: .utf8)
      .components(separatedBy: "```\(language)\n").dropFirst().map {
        $0.components(separatedBy: "\n```")[0]
      }
  }

  /// Runs a command of the article, and returns the token that it makes.
  private func token(_ command: String, _ file: String) throws -> String {
    let made = try Program.run(
      command.split(separator: " ").dropFirst().map(String.init), in: folder,
      environment: ["AUTHGRAPH_STORE": "", "AUTHGRAPH_CONFIG": file])
    #expect(made.status == 0, "\(command)\n\(made.errors)")
    return made.output.trimmingCharacters(in: .newlines)
  }

  private func configure(_ lines: String) throws -> String {
    try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      projects: [other]
      listen: { port: 0 }
      \(lines)

      """)
  }

  @Test func `their commands make tokens that open what the articles say`() async throws {
    let commands = try blocks("sh", of: "AdminAPI").flatMap { $0.components(separatedBy: "\n") }
    #expect(commands.count == 2)
    let file = try configure("")
    try await blocking { [self] in
      let tokens = try commands.map { try token($0, file) }
      let server = try RunningServer(["--config", file], in: folder)
      for project in ["default", "other"] {
        let path = "/v1/projects/\(project)/accounts:batchGet"
        let statuses = try tokens.map {
          try server.get(path, ["-H", "Authorization: Bearer \($0)"]).status
        }
        #expect(statuses == [200, 403], "\(project)")
      }
    }
  }

  @Test func `metrics are for the token that the article makes`() async throws {
    let command = try #require(try blocks("sh", of: "RunningTheServer").first)
    let file = try configure(try #require(try blocks("yaml", of: "RunningTheServer").first))
    try await blocking { [self] in
      let token = try token(command, file)
      let server = try RunningServer(["--config", file], in: folder)
      #expect(try server.get("/metrics").status == 401)
      let bearer = ["-H", "Authorization: Bearer \(token)"]
      let metrics = try server.get("/metrics", bearer)
      #expect(metrics.status == 200 && metrics.body.contains("authgraph_http_requests_total"))

      _ = try configure("metrics: off")
      server.signal(SIGHUP)
      try server.wait(for: "The configuration was read again")
      #expect(try server.get("/metrics", bearer).status == 404)
    }
  }

  @Test func `metrics are off if other machines reach the server`() async throws {
    let file = try configure("")
    try await blocking { [self] in
      for (arguments, status) in [
        ([], 200), (["--host", "0.0.0.0"], 404),
        (["--public-url", "https://auth.example.com"], 404),
      ] {
        let server = try RunningServer(["--config", file] + arguments, in: folder)
        let local = server.address.replacing("0.0.0.0", with: "127.0.0.1")
        let answer = try RunningProvider.curl(["-w", "%{http_code}", "\(local)/metrics"])
        #expect(answer.hasSuffix("\(status)"), "\(arguments)")
      }
    }
  }

  @Test func `a token of a further project opens that one, and no other`() async throws {
    let file = try configure("")
    try await blocking { [self] in
      var tokens: [String: String] = [:]
      for project in ["default", "other"] {
        tokens[project] = try token(
          "authgraph admin-token new --scope all --name \(project) --project \(project)", file)
      }
      let server = try RunningServer(["--config", file], in: folder)
      for (owner, token) in tokens {
        for project in ["default", "other"] {
          let bearer = ["-H", "Authorization: Bearer \(token)"]
          let path = "/v1/projects/\(project)/accounts:batchGet"
          let answer = try server.get(path, bearer)
          #expect(answer.status == (owner == project ? 200 : 403), "\(owner) on \(project)")
          let admin = try server.get("/admin/v1/projects/\(project)/adminTokens", bearer)
          #expect(admin.status == (owner == project ? 200 : 403), "\(owner) on \(project)")
        }
      }
    }
  }

  @Test func `the help of the command lists the scope of the whole server`() throws {
    let help = try Program.run(["admin-token", "new", "--help"], in: folder)
    #expect(help.output.contains("server"))
    let unknown = try Program.run(["admin-token", "new", "--scope", "servr"], in: folder)
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("Did you mean \"server\"?"), "\(unknown.errors)")
  }
}
