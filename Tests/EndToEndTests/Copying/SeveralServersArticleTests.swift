import AuthTesting
import Foundation
import Testing
import TestSupport

/// The commands in the articles on several servers do what the articles say.
@Suite(.serialized) struct `The article "Several servers"` {
  private let folder: TemporaryFolder
  private let article: String
  /// The article on operating several servers.
  private let operating: String

  init() throws {
    folder = try TemporaryFolder()
    let articles = "\(Program.root)/Sources/AuthCore/AuthCore.docc"
    article = try String(contentsOfFile: "\(articles)/SeveralServers.md", encoding: .utf8)
    operating = try String(contentsOfFile: "\(articles)/OperatingServers.md", encoding: .utf8)
  }

  private func blocks(_ language: String, of text: String? = nil) -> [String] {
    (text ?? article).components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  @Test func `each of its commands works, in their order`() async throws {
    try await blocking {
      let server = try PostgresServer()
      let port = try #require(server.port)
      func local(_ text: String) -> String {
        text.replacing(
          "postgres://authgraph@db.example.com/authgraph?sslmode=verify-full",
          with: "postgres://authgraph@127.0.0.1:\(port)/authgraph"
        ).replacing("https://auth.example.com", with: "http://127.0.0.1:1")
      }
      _ = try folder.write("authgraph.yaml", local(try #require(blocks("yaml").first)) + "\n")
      let imported = try shell(
        "authgraph import '\(Program.root)/Scripts/samples/people.json' --store sqlite:accounts.db",
        port)
      #expect(imported.status == 0)
      let sealed = try shell(
        """
        authgraph --store sqlite:accounts.db -e 'providers.configure("google.com", { clientIDs = { "a" }, \
        clientSecret = "b" })'
        """, port)
      #expect(sealed.status == 0, "\(sealed.output)")

      let commands = blocks("sh").flatMap { $0.components(separatedBy: "\n") }
      #expect(commands.count == 10)
      let further = blocks("sh", of: operating).flatMap { $0.components(separatedBy: "\n") }
      #expect(further.count == 3)
      for command in commands + further {
        let outcome = try shell(local(command), port)
        #expect(outcome.status == 0, "\(command)\n\(outcome.output)")
      }

      let restored = try shell(
        """
        authgraph --store postgres://authgraph@127.0.0.1:\(port)/restored --key-file accounts.db.key \
        -e 'accounts.count()'
        """, port)
      #expect(restored.output == "11\n")
      let running = try RunningServer(
        ["--config", "authgraph.yaml", "--port", "0"], in: folder)
      #expect(try running.get("/ready").status == 200)
      #expect(try running.end(by: SIGTERM).status == 0)
    }
  }

  private func shell(
    _ command: String, _ port: Int
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command + " 2>&1"]
    var environment = folder.environment
    environment["AUTHGRAPH_STORE"] = nil
    environment["PATH"] = "\(Program.products.path):/usr/bin:/bin"
    environment["PGHOST"] = "127.0.0.1"
    environment["PGPORT"] = "\(port)"
    environment["PGUSER"] = "postgres"
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
