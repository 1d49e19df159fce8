import AuthCore
import Foundation
import Testing
import TestSupport

/// `authgraph config` and `authgraph doctor`.
@Suite struct `The configuration file` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a command without the store that other tests set in the environment.
  private func run(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      arguments, in: folder,
      environment: environment.merging(["AUTHGRAPH_STORE": ""]) { own, _ in own })
  }

  private func check(
    _ text: String, _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let file = try folder.write("authgraph.yaml", text)
    return try run(["config", "check", file], environment)
  }

  @Test func `the default that is written is ok, and stays as it is`() throws {
    let file = "\(folder.path)/authgraph.yaml"

    let written = try run(["config", "init", file])
    let checked = try run(["config", "check", file])
    let again = try run(["config", "init", file])
    let printed = try run(["config", "init", "--print"])

    #expect(written.status == 0)
    #expect(checked.status == 0)
    #expect(checked.output.hasSuffix("ok\n"))
    #expect(again.status == 1)
    #expect(printed.output == (try folder.read("authgraph.yaml")))
  }

  @Test func `every setting of the default exists`() throws {
    let text = try run(["config", "init", "--print"]).output
    // A comment that is a setting and not a sentence is an example.
    let examples = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.firstMatch(of: /^# ( *[a-zA-Z]+:( .*)?)$/).map { String($0.output.1) } ?? String(line)
    }.filter { !$0.contains("apiKeys: { ") }.joined(separator: "\n")

    let outcome = try check(examples)

    #expect(!outcome.output.contains("no setting"), "\(outcome.output)")
    #expect(!outcome.output.contains("no YAML"), "\(outcome.output)")
    #expect(outcome.output.contains("messages.smtp.password is to be read from"))
  }

  @Test func `every fault is reported with its line`() throws {
    let outcome = try check(
      """
      publicURL: http://auth.example.com
      stroe: memory
      listen:
        prot: 9099
        port: 99999
      compat: emulater
      http2: maybe
      trustedProxies: [10.0.0.0/8, nonsense]
      projects: { a: b }
      apiKeys: { other: [k] }
      logging: { level: loud }
      tls: { certificate: missing.pem }
      """)

    #expect(outcome.status == 1)
    for (line, words) in [
      (1, "has to begin with https"), (2, "Did you mean \"store\"?"), (4, "Did you mean \"port\"?"),
      (5, "0 to 65535"), (6, "Did you mean \"emulator\"?"), (7, "true or false"),
      (8, "\"nonsense\""), (9, "list of texts"), (10, "the project other"),
      (11, "logging.level has no choice \"loud\""), (12, "tls.key is missing"),
    ] {
      let found = outcome.output.split(separator: "\n").contains {
        $0.hasPrefix("\(folder.path)/authgraph.yaml:\(line): ") && $0.contains(words)
      }
      #expect(found, "line \(line), \(words) in:\n\(outcome.output)")
    }
  }

  @Test(arguments: [
    "messages: { smtp: { host: m.example, from: a@b.example, user: u, password: hunter22 } }",
    "messages: { webhook: { url: https://m.example, secret: hunter22 } }",
    "outbox: { url: https://m.example, secret: hunter22 }",
    "outbox: { url: https://user:hunter22@m.example, secret: { file: x } }",
    "messages: { webhook: { url: https://m.example, secret: { text: hunter22 } } }",
  ])
  func `a secret in clear is an error that does not repeat it`(_ line: String) throws {
    let outcome = try check("publicURL: https://a.example\n\(line)\n")

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("authgraph.yaml:2"))
    #expect(!(outcome.output + outcome.errors).contains("hunter22"))
  }

  @Test(.enabled(if: TestAuthority.isThere))
  func `an address without TLS is reported if the server takes TLS alone`() throws {
    try TestAuthority(in: folder).sign(["IP:127.0.0.1"])
    let text = "tls: { certificate: server.pem, key: server.key }\n"
    let open = try check("publicURL: http://127.0.0.1:9099\n\(text)")
    #expect(open.status == 0)
    #expect(open.output.contains("yaml:1: warning: publicURL begins with http"), "\(open.output)")

    let closed = try check("publicURL: https://127.0.0.1:9099\n\(text)")
    #expect(!closed.output.contains("publicURL"), "\(closed.output)")
  }

  @Test func `a secret's file is read, and one that others can read is reported`() throws {
    let secret = try folder.write("secret", "hunter22\n")
    chmod(secret, 0o644)
    let text = """
      publicURL: https://a.example
      outbox: { url: https://m.example, secret: { file: secret } }

      """

    let open = try check(text)
    chmod(secret, 0o600)
    let closed = try check(text)

    #expect(open.status == 0)
    #expect(open.output.contains(":2: warning: outbox.secret is in \(secret), which others can"))
    #expect(!closed.output.contains("outbox"))
  }

  @Test func `the environment wins over the file, and its errors name the variable`() throws {
    let outcome = try check(
      "publicURL: https://a.example\nlisten: { port: 1 }\n",
      ["AUTHGRAPH_LISTEN_PORT": "many", "AUTHGRAPH_LISTEN_PROT": "1"])

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("AUTHGRAPH_LISTEN_PORT: listen.port has to be"))
    #expect(outcome.output.contains("Did you mean AUTHGRAPH_LISTEN_PORT?"))
  }

  @Test(arguments: ["a: b: c", "- 1\n- 2", "a: 1\na: 2", "{", "a: &x [*x]", "text", "\u{7}"])
  func `a file that is no configuration is one finding`(_ text: String) throws {
    let outcome = try check(text)

    #expect(outcome.status == 1)
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
  }

  @Test(arguments: [
    (
      "limits: { bodyBytes: 100000, clientBodyBytes: 200000 }",
      "more than bodyBytes, which is 100000"
    ),
    ("limits: { clientBodyBytes: 20000000 }", "more than bodyBytes, which is 10485760"),
    ("limits: { bodyBytesInFlight: 1000000 }", "less than one body may have"),
    ("limits: { connections: 10, connectionsPerAddress: 20 }", "connections is 10"),
    ("limits: { connectionsPerAddress: -1 }", "a whole number from 0 to 1000000"),
    ("limits: { clientBodyBytes: 10 }", "a whole number from 1024"),
    ("metrics: tokens", "Did you mean \"token\"?"),
  ])
  func `contradicting limits and an unknown choice are reported with their line`(
    _ line: String, _ words: String
  ) throws {
    let outcome = try check("publicURL: https://a.example\n\(line)\n")

    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("authgraph.yaml:2") && outcome.output.contains(words),
      "\(outcome.output)")
  }

  @Test(arguments: [
    "limits: { bodyBytes: 100000 }", "limits: { bodyBytes: 1000000000 }", "metrics: off",
    "limits: { connections: 10 }", "limits: { connectionsPerAddress: 0 }", "metrics: open",
  ])
  func `a limit leaves the others sensible`(_ line: String) throws {
    let outcome = try check("publicURL: https://a.example\napiKeys: [k]\n\(line)\n")
    #expect(outcome.output == "ok\n")
  }

  @Test func `production without limits is warned of once`() throws {
    let usual = "publicURL: https://a.example\napiKeys: [k]\n"
    for (text, isWarned): (String, Bool) in [
      ("rateLimits: 0\n", true), ("rateLimits: { codesPerRecipientAndHour: 0 }\n", false),
      ("rateLimits:\n", false), ("compat: emulator\nrateLimits: 0\n", false),
    ] {
      let outcome = try check(usual + text)
      #expect(outcome.status == 0, "\(outcome.output)")
      let warnings = outcome.output.split(separator: "\n").count {
        $0.contains(":3: warning: rateLimits is off")
      }
      #expect(warnings == (isWarned ? 1 : 0), "\(outcome.output)")
    }
    let variable = try check(usual, ["AUTHGRAPH_RATE_LIMITS": "0"])
    #expect(variable.output.contains("rateLimits is off"), "\(variable.output)")
    let wrong = try check("\(usual)rateLimits: 5\n")
    #expect(wrong.status == 1)
    #expect(wrong.output.contains("has to be a list of limits, or 0 for none"), "\(wrong.output)")
  }

  @Test func `the single-project mode is for the emulator`() throws {
    let usual = "publicURL: https://a.example\napiKeys: [k]\n"
    for mode in ["off", "warn", "error"] {
      let outcome = try check("\(usual)compat: emulator\nsingleProjectMode: \(mode)\n")
      #expect(outcome.output == "ok\n")
    }
    let unknown = try check("\(usual)compat: emulator\nsingleProjectMode: warm\n")
    #expect(unknown.status == 1 && unknown.output.contains("Did you mean \"warn\"?"))
    let production = try check("\(usual)singleProjectMode: error\n")
    #expect(production.status == 0)
    #expect(production.output.contains("has an effect in the emulator alone"))
  }

  @Test func `findings can be had as JSON`() throws {
    let file = try folder.write("authgraph.yaml", "publicURL: https://a.example\nx: 1\n")

    let outcome = try run(["config", "check", "--json", file])

    guard case .array(let findings) = try JSONValue(text: outcome.output) else {
      Issue.record("\(outcome.output)")
      return
    }
    #expect(findings.contains { $0["line"] == 2 && $0["severity"] == "error" })
  }

  @Test func `the doctor finds a sound store sound, and changes nothing`() throws {
    let file = try folder.write(
      "authgraph.yaml", "publicURL: https://127.0.0.1:1\nstore: sqlite:accounts.db\n")
    #expect(
      try Program.run(["console", "-e", "accounts.create { email = 'a@b.example' }"], in: folder)
        .status == 0)
    let before = try Program.run(["export"], in: folder).output

    let outcome = try run(["doctor", "--config", file, "--json"])

    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    for words in ["is sound", "It can be written", "MB are free", "Keys that sign"] {
      #expect(outcome.output.contains(words), "\(words) in \(outcome.output)")
    }
    #expect(try Program.run(["export"], in: folder).output == before)
  }

  @Test func `the doctor finds what is wrong`() throws {
    _ = try folder.write("broken.lua", "return provider {")
    _ = try folder.write("accounts.db", "this is no database, but long enough to look like one")
    let file = try folder.write(
      "authgraph.yaml",
      """
      publicURL: https://127.0.0.1:1
      store: sqlite:accounts.db
      plugins: [\(folder.path)]
      messages: { smtp: { host: 127.0.0.1, port: 1, protection: none, from: a@b.example } }
      tls: { certificate: authgraph.yaml, key: authgraph.yaml }

      """)

    let outcome = try run(["doctor", "--config", file, "--json"])

    #expect(outcome.status == 1)
    guard case .array(let all) = try JSONValue(text: outcome.output) else {
      Issue.record("\(outcome.output)")
      return
    }
    let wrong = Set(all.filter { $0["state"] == "wrong" }.compactMap { $0["check"]?.stringValue })
    #expect(wrong == ["store", "plugins", "messages", "certificate"], "\(outcome.output)")
  }

  @Test func `the doctor finds accounts of a provider that is not set up`() throws {
    let code =
      "accounts.create { uid = 'a' }:link { providerID = 'google.com', subject = '1' } "
      + "providers.configure('google.com', { clientIDs = { 'web' } })"
    #expect(try Program.run(["console", "-e", code], in: folder).status == 0)
    let file = try folder.write(
      "authgraph.yaml", "publicURL: https://127.0.0.1:1\nstore: sqlite:accounts.db\n")
    let well = try run(["doctor", "--config", file, "--json"])
    #expect(!well.output.contains("is not set up"), "\(well.output)")

    let forget = "providers.forget('google.com', { force = true })"
    #expect(try Program.run(["console", "-e", forget], in: folder).status == 0)

    let sick = try run(["doctor", "--config", file, "--json"])
    #expect(sick.status == 0, "\(sick.output)")
    #expect(
      sick.output.contains("1 account is linked with google.com in default, which is not set up"),
      "\(sick.output)")
  }

  @Test func `the doctor notices another key and a clock that went back`() throws {
    let created = try Program.run(
      [
        "console", "-e",
        "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = 'b' })",
      ], in: folder)
    #expect(created.status == 0, "\(created.errors)")
    try FileManager.default.removeItem(atPath: "\(folder.store).key")
    let other = try TemporaryFolder()
    #expect(
      try Program.run(
        [
          "console", "--store", "sqlite:\(other.store)", "-e",
          "providers.configure('google.com', { clientIDs = { 'a' }, clientSecret = 'b' })",
        ], in: other
      ).status == 0)
    try FileManager.default.copyItem(atPath: "\(other.store).key", toPath: "\(folder.store).key")
    try spoil(folder.store)

    let outcome = try run(
      [
        "doctor", "--store", "sqlite:\(folder.store)", "--json",
      ], ["AUTHGRAPH_PUBLIC_URL": "https://127.0.0.1:1"])

    #expect(outcome.status == 1)
    guard case .array(let all) = try JSONValue(text: outcome.output) else {
      Issue.record("\(outcome.output)")
      return
    }
    let wrong = Set(all.filter { $0["state"] == "wrong" }.compactMap { $0["check"]?.stringValue })
    #expect(wrong == ["keys", "clock"], "\(outcome.output)")
  }

  /// Moves the newest event an hour into the future.
  private func spoil(_ store: String) throws {
    try runProgram("sqlite3", [store, "UPDATE events SET at = at + 3600000;"])
  }
}
