import AuthCore
import FakeVendors
import Foundation
import Testing
import TestSupport

/// `authgraph plugin`, as the author of a plug-in uses it.
@Suite struct `The plug-in commands` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func plugin(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(["plugin"] + arguments, in: folder, environment: environment)
  }

  @Test(arguments: ["oauth2", "oidc", "custom"])
  func `a new plug-in passes its test, and is not overwritten`(_ kind: String) throws {
    let created = try plugin(["new", "my.example", "--kind", kind, "--folder", folder.path])
    let file = "\(folder.path)/my.example.lua"
    let text = try folder.read("my.example.lua")

    let again = try plugin(["new", "my.example", "--kind", kind, "--folder", folder.path])
    let check = try plugin(["check", file])
    let test = try plugin(["test", file])

    #expect(created.status == 0 && created.output.contains("plugin test \(file)"))
    #expect(again.status == 1 && again.errors.contains("There is a file \(file) already."))
    #expect(try folder.read("my.example.lua") == text)
    #expect(check.status == 0 && check.output.contains("my.example.lua:7: warning [template]"))
    #expect(check.output.hasSuffix("1 checked, 0 errors, 1 warnings\n"), "\(check.output)")
    #expect(test.status == 0, "\(test.output)\(test.errors)")
    #expect(test.output.contains("  ok      an address that is not verified ("))
    #expect(test.output.contains(", 0 failed\n"))
  }

  @Test func `a new plug-in goes into the current folder, or into one that is made`() throws {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["plugin", "new", "my.example"]
    process.environment = folder.environment
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let deep = try plugin(["new", "deep.example", "--folder", "\(folder.path)/a/b/"])

    #expect(process.terminationStatus == 0)
    #expect(try folder.read("my.example.lua").contains("id = \"my.example\""))
    #expect(deep.status == 0, "\(deep.errors)")
    #expect(try folder.read("a/b/deep.example.fixture.json").contains("scenarios"))
  }

  @Test func `a misspelled kind is refused with the nearest one`() throws {
    let outcome = try plugin(["new", "my.example", "--kind", "oath2", "--folder", folder.path])

    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Did you mean \"oauth2\"?"), "\(outcome.errors)")
  }

  @Test func `a check prints file, line, code and remedy, and exits with 1 for an error`() throws {
    let file = try folder.write(
      "bad.lua",
      """
      return provider {
        id = "bad", name = "Bad", kind = "oauth2", hosts = { "bad.example" },
        documentation = "https://bad.example/docs",
        authorize = "https://bad.example/a", token = "https://bad.example/t",
        userinfo = "https://bad.example/me",
        identity = { subject = "email" },
      }
      """)

    let outcome = try plugin(["check", file])
    let json = try JSONValue(text: try plugin(["check", "--json", file]).output)

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("bad.lua:6: error [mutable-subject]"), "\(outcome.output)")
    #expect(outcome.output.contains("1 checked, 1 errors, 1 warnings"))
    guard case .array(let findings) = json else { throw Failed(description: json.text) }
    #expect(findings.first?["code"] == "mutable-subject" && findings.first?["line"] == 6)
    #expect(findings.last?["code"] == "missing-fixture")
  }

  @Test func `a file that does not load is reported with its line`() throws {
    let file = try folder.write("bad.lua", "return provider {\n  id = = 1,\n}\n")

    let check = try plugin(["check", file])
    let test = try plugin(["test", file])
    let list = try plugin(["list", folder.path])

    #expect(check.status == 1 && check.output.contains("bad.lua:2: error [does-not-load]"))
    #expect(test.status == 1 && test.output.contains("bad.lua:2:"), "\(test.output)")
    #expect(list.status == 0 && list.output.contains("does not load"))
    #expect(list.errors.contains("bad.lua:2:"))
  }

  @Test func `a built-in provider's ID is refused for a new plug-in`() throws {
    let outcome = try plugin(["new", "google.com", "--folder", folder.path])

    #expect(outcome.status == 1 && outcome.errors.contains("google.com"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/google.com.lua"))
  }

  @Test func `two files of one ID are reported`() throws {
    _ = try plugin(["new", "my.example", "--kind", "custom", "--folder", folder.path])
    let text = try folder.read("my.example.lua")
    _ = try folder.write("other.lua", text)

    let list = try plugin(["list", folder.path])

    #expect(list.status == 1)
    #expect(list.errors.contains("my.example is the ID of"), "\(list.errors)")
  }

  @Test func `a fixture that is no JSON is reported by check and test with its place`() throws {
    _ = try plugin(["new", "my.example", "--folder", folder.path])
    _ = try folder.write("my.example.fixture.json", "{\n  \"scenarios\": [,]\n}\n")
    let file = "\(folder.path)/my.example.lua"

    let check = try plugin(["check", file])
    let test = try plugin(["test", file])

    #expect(check.status == 1)
    #expect(
      check.output.contains("my.example.fixture.json:2: error [broken-fixture]"), "\(check.output)")
    #expect(check.output.contains("column 17"))
    #expect(test.output.contains("my.example.fixture.json:2:17: it is no JSON"), "\(test.output)")
  }

  @Test func `many files are a line each, and a name need only be in one`() throws {
    for (name, kind) in [("a.example", "oauth2"), ("b.example", "custom")] {
      _ = try plugin(["new", name, "--kind", kind, "--folder", folder.path])
    }

    let all = try plugin(["test", folder.path])
    let verbose = try plugin(["test", "--verbose", folder.path])
    let one = try plugin(["test", "--case", "a ticket", folder.path])
    let none = try plugin(["test", "--case", "no such case", folder.path])

    #expect(all.status == 0 && all.output.split(separator: "\n").count == 3, "\(all.output)")
    #expect(all.output.hasPrefix("ok  \(folder.path)/a.example.lua ("))
    #expect(verbose.output.contains("  ok      a ticket ("))
    #expect(one.status == 0 && one.output.contains("1 tested, "), "\(one.output)")
    #expect(none.status == 1)
  }

  @Test func `an OpenID provider of the box is recorded, and replays`() async throws {
    try await blocking { [folder] in
      let script = try folder.write(
        "idp.json",
        #"{ "issuer": "https://id.comet.example/work", "clients": [{ "id": "my-app" }] }"#)
      let provider = try RunningProvider(["--script", script], in: folder)
      let server = provider.overview["address"]?.stringValue ?? ""
      #expect(provider.issuer == "https://id.comet.example/work")
      let tokens = try JSONValue(
        text: try RunningProvider.curl(["\(server)/tokens?person=1001&nonce=the-n0nce-of-ada"]))
      let idToken = try folder.write("id.txt", tokens["id_token"]?.stringValue ?? "")
      let access = try folder.write("access.txt", tokens["access_token"]?.stringValue ?? "")
      let nonce = try folder.write("nonce.txt", "the-n0nce-of-ada")
      let file = try folder.write(
        "comet.example.lua",
        """
        return provider {
          id = "comet.example", name = "Comet", kind = "oidc", hosts = { "id.comet.example" },
          issuer = "https://id.comet.example/work", userinfo = true,
        }
        """)
      let options = [
        "record", "--setting", "clientID=my-app",
        "--setting", "servers=id.comet.example=\(server)",
        "--setting", "privateHosts=\(server.dropFirst(7))",
        "--credential", "idToken.idToken=@\(idToken)",
        "--credential", "idToken.accessToken=@\(access)",
        "--credential", "idToken.nonce=@\(nonce)",
      ]

      let recorded = try plugin(options + [file])
      let test = try plugin(["test", file])
      _ = try provider.end(by: SIGTERM)
      let unheard = try plugin(options + ["--name", "down", file])
      let fixture = try folder.read("comet.example.fixture.json")

      #expect(recorded.status == 0, "\(recorded.errors)")
      #expect(fixture.contains("https://id.comet.example/work/userinfo"))
      #expect(!fixture.contains("127.0.0.1"), "\(fixture)")
      #expect(test.status == 0, "\(test.output)")
      #expect(unheard.status == 1 && unheard.errors.contains("refused the connection"))
      #expect(!fixture.contains("\"down\""))
    }
  }

  @Test func `a failing case is printed in full, and runs alone by its name`() throws {
    _ = try plugin(["new", "my.example", "--kind", "custom", "--folder", folder.path])
    let file = "\(folder.path)/my.example.lua"
    let faulty = try folder.read("my.example.lua")
      .replacing("pick(answer, \"user.email_verified\") == true", with: "answer.user ~= nil")
    try Data(faulty.utf8).write(to: URL(filePath: file))

    let outcome = try plugin(["test", file])
    let one = try plugin(["test", "--json", "--case", "does not say", file])

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("  failed  a ticket ("), "\(outcome.output)")
    #expect(outcome.output.contains("emailVerified is true, and should be false."))
    #expect(outcome.output.contains("claims that the address is verified without a source"))
    let reports = try JSONValue(text: one.output)
    guard case .array(let list) = reports else { throw Failed(description: one.output) }
    #expect(list.count == 1 && list.first?["passed"] == false)
  }

  @Test func `the plug-ins that ship are listed and described`() throws {
    let list = try JSONValue(text: try plugin(["list", "--json"]).output)
    let docs = try plugin(["docs", "Plugins/github.com.lua"])

    guard case .array(let entries) = list else { throw Failed(description: list.text) }
    #expect(entries.count >= 25)
    #expect(entries.contains { $0["id"] == "github.com" && $0["kind"] == "oauth2" })
    #expect(docs.status == 0 && docs.output.hasPrefix("# GitHub\n"))
    #expect(docs.output.contains("providers.configure(\"github.com\", { clientID = \"…\""))
  }

  @Test func `a sign-in is recorded without its secrets, and replays`() async throws {
    let secret = "S3cret-of-the-client"
    let ticket = "T1cket-of-Ada-Example"
    let server = try await VendorServer.start { request in
      guard request.form["ticket"] == ticket else { return .json([:], status: 401) }
      return .json([
        "app_id": "app-1", "session_token": "Sess10n-of-Ada",
        "user": ["id": "8035", "email": "ada@example.com", "email_verified": true, "name": "Ada"],
      ])
    }
    let (url, host) = (server.url, server.host)
    let outcomes = try await blocking { [folder] in
      _ = try plugin(["new", "my.example", "--kind", "custom", "--folder", folder.path])
      let file = "\(folder.path)/my.example.lua"
      let path = try folder.write("ticket.txt", ticket + "\n")
      let options = [
        "record", "--setting", "clientID=app-1", "--setting", "clientSecret=env:VENDOR_SECRET",
        "--setting", "servers=vendor.example=\(url)", "--setting", "privateHosts=\(host)",
      ]
      let environment = ["VENDOR_SECRET": secret]
      let open = try plugin(
        options + ["--credential", "ticket.ticket=\(ticket)", file], environment: environment)
      let good = try plugin(
        options + ["--credential", "ticket.ticket=@\(path)", file], environment: environment)
      let twice = try plugin(
        options + ["--credential", "ticket.ticket=@\(path)", file], environment: environment)
      return [open, good, twice, try plugin(["test", file])]
    }
    let fixture = try folder.read("my.example.fixture.json")
    await server.stop()

    #expect(outcomes[0].status == 1 && outcomes[0].errors.contains("ticket.ticket is secret"))
    #expect(outcomes[1].status == 0, "\(outcomes[1].errors)")
    #expect(outcomes[1].output.contains("8035 is signed in; \"recorded\" is in"))
    #expect(outcomes[2].status == 1 && outcomes[2].errors.contains("a scenario \"recorded\""))
    for hidden in [secret, ticket, "Sess10n-of-Ada", host] { #expect(!fixture.contains(hidden)) }
    for kept in ["\"the-ticket\"", "\"app-1\"", "https://vendor.example/api/tickets/check"] {
      #expect(fixture.contains(kept), "\(kept) is not in:\n\(fixture)")
    }
    #expect(outcomes[3].status == 0, "\(outcomes[3].output)")
  }
}
