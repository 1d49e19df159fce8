import AuthTesting
import Foundation
import Testing
import TestSupport

/// Commands on a store in PostgreSQL.
@Suite(.serialized) struct `Commands on PostgreSQL` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      arguments, in: folder,
      environment: environment.merging(["AUTHGRAPH_STORE": ""]) { own, _ in own })
  }

  private func with(_ topic: String, _ body: @escaping @Sendable (String) throws -> Void)
    async throws
  {
    try await PostgresServer.shared.withSchema(topic) { url in try await blocking { try body(url) }
    }
  }

  @Test func `import, console and export do what they do on SQLite`() async throws {
    try await with("commands") { url in
      let imported = try run(["import", "Scripts/samples/people.json", "--store", url])
      let counted = try run(["-e", "accounts.count()"], ["AUTHGRAPH_STORE": url])
      let exported = try run(["export", "--store", url])
      let sqlite = "sqlite:\(folder.store)"
      _ = try run(["import", "Scripts/samples/people.json", "--store", sqlite])

      #expect(imported.status == 0 && imported.output.hasPrefix("11 imported"))
      #expect(counted.output == "11\n", "\(counted.errors)")
      #expect(exported.output == (try run(["export", "--store", sqlite])).output)
      #expect(exported.output.contains("ada@example.com"))
    }
  }

  @Test func `an export has every account, also of more than a page`() async throws {
    try await with("pages") { url in
      let code = "for i = 1, 1203 do accounts.create { uid = ('u%04d'):format(i) } end"
      #expect(try run(["-e", code, "--store", url]).status == 0)

      let exported = try run(["export", "--store", url])

      let uids = exported.output.matches(of: /"localId":"(u\d+)"/).map { String($0.output.1) }
      #expect(uids == (1...1203).map { "u" + String("000\($0)".suffix(4)) })
    }
  }

  @Test func `a key has to be named if one is needed`() async throws {
    try await with("keys") { url in
      let code = "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = 'b' })"
      let key = "\(folder.path)/shared.key"

      let without = try run(["-e", code, "--store", url])
      let with = try run(["-e", code, "--store", url, "--key-file", key])
      let checked = try folder.write(
        "authgraph.yaml", "publicURL: https://a.example\nstore: \(url)\n")

      #expect(without.status == 1 && without.errors.contains("(keyFile)"), "\(without.errors)")
      #expect(with.status == 0, "\(with.errors)")
      #expect(FileManager.default.fileExists(atPath: key))
      let check = try run(["config", "check", checked])
      #expect(check.status == 1 && check.output.contains("keyFile is missing"), "\(check.output)")
      let tokens = try run(["admin-token", "list", "--config", checked])
      #expect(tokens.status == 0, "\(tokens.errors)")
    }
  }

  @Test func `doctor describes the server`() async throws {
    try await with("doctor") { url in
      let environment = [
        "AUTHGRAPH_STORE": url, "AUTHGRAPH_PUBLIC_URL": "http://127.0.0.1:1",
        "AUTHGRAPH_KEY_FILE": "\(folder.path)/key",
      ]
      let well = try run(["doctor", "--json"], environment)
      let many = try run(
        ["doctor", "--json"],
        environment.merging(["AUTHGRAPH_STORE": url + "&connections=900"]) { $1 })
      let nobody = try run(["doctor", "--json", "--store", "postgres://ada:hunter22@127.0.0.1:1/d"])

      #expect(well.status == 0, "\(well.output)\(well.errors)")
      #expect(well.output.contains("is PostgreSQL 1") && well.output.contains("can be written"))
      #expect(well.output.contains("It agrees with PostgreSQL."), "\(well.output)")
      #expect(many.output.contains("Raise max_connections"), "\(many.output)")
      #expect(nobody.status == 1 && nobody.output.contains("cannot be reached"))
      #expect(!nobody.output.contains("hunter22"))
    }
  }

  @Test func `a password in the configuration is an error that does not repeat it`() throws {
    let secret = try folder.write("url", "postgres://ada:hunter22@db.example/d\n")
    chmod(secret, 0o600)
    func check(_ store: String, _ environment: [String: String] = [:]) throws -> Program.Outcome {
      let file = try folder.write(
        "authgraph.yaml", "publicURL: https://a.example\nkeyFile: k\nstore: \(store)\n")
      return try run(["config", "check", file], environment)
    }

    for url in [
      "postgres://ada:hunter22@db.example/d", "postgres://db.example/d?password=hunter22",
      "postgres://ada:hun/ter22@db.example/d", "postgres:ada:hunter22@db.example/d",
    ] {
      let outcome = try check(url)
      #expect(outcome.status == 1 && outcome.output.contains("authgraph.yaml:3: store"))
      #expect(!outcome.output.contains("hun"), "\(outcome.output)")
    }
    #expect(try check("{ file: url }").status == 0)
    #expect(try check("postgres://ada@db.example/d?passfile=/etc/pass").status == 0)
    #expect(
      try check("memory", ["AUTHGRAPH_STORE": "postgres://ada:hunter22@db.example/d"]).status == 0)
  }
}
