import AuthCore
import Foundation
import TestSupport
import Testing

/// The commands and tables of the articles that say how an app or a backend moves.
@Suite struct `The articles on moving apps and backends` {
  private static let catalogue = "Sources/AuthServer/AuthServer.docc"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func article(_ name: String) throws -> Article {
    try Article("\(Self.catalogue)/\(name).md")
  }

  @Test(arguments: ["production", "emulator"])
  func `requests of an Android app sign a person up and renew the session`(
    _ mode: String
  ) async throws {
    let commands = try article("MovingAnAndroidApp").blocks("sh")
    #expect(commands.count == 2)
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\nlisten: { port: 0 }\n")
    try await blocking { [self] in
      let server = try RunningServer(["--config", file, "--compat", mode], in: folder)
      let lines = ["export NO_PROXY='*' SERVER=\(server.address) KEY=any"] + commands
      let shown = try Clone(in: folder).shell(lines.joined(separator: "\n")).output
      let renewed = try JSONValue(text: shown)
      #expect(renewed["token_type"] == "Bearer", "\(shown)")
      #expect(renewed["id_token"]?.stringValue?.isEmpty == false, "\(shown)")
    }
  }

  @Test func `a web app's tests in CI begin with the accounts of the folder`() async throws {
    let script = try article("MovingAWebApp").blocks("sh").first.unwrapped("the script")
    #expect(script.hasSuffix("\nnpm test"))
    let clone = try Clone(in: folder)
    try folder.write("seed.json", #"{"users": [{"localId": "ada", "email": "ada@example.com"}]}"#)
    try await blocking { [self] in
      let free = try Program.run(
        [
          "-c",
          "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])",
        ],
        of: "/usr/bin/python3", in: folder
      ).output.trimmingCharacters(in: .newlines)
      let lookup = """
        curl -s -H 'Authorization: Bearer owner' -H 'Content-Type: application/json' \
          -d '{"email": ["ada@example.com"]}' \
          "http://$FIREBASE_AUTH_EMULATOR_HOST/identitytoolkit.googleapis.com/v1/projects/$GCLOUD_PROJECT/accounts:lookup"
        """
      let commands = script.replacing("9099", with: free).replacing("npm test", with: lookup)
      let shown = try clone.shell(
        """
        unset AUTHGRAPH_STORE
        export NO_PROXY='*'
        mkdir seed && cp "\(folder.path)/seed.json" seed/accounts.json
        \(commands)
        """)
      #expect(shown.status == 0 && shown.output.contains(#""localId": "ada""#), "\(shown.output)")
    }
  }

  @Test func `the command for a service account names the server's address`() throws {
    let command = try article("AdminSDKs").blocks("sh").first.unwrapped("the command")
    let file = try folder.write(
      "authgraph.yaml", "publicURL: https://auth.example.com\nstore: sqlite:accounts.db\n")
    let made = try Program.run(
      command.replacing("worker.json", with: "\(folder.path)/worker.json")
        .split(separator: " ").dropFirst().map(String.init), in: folder,
      environment: ["AUTHGRAPH_STORE": "", "AUTHGRAPH_CONFIG": file])
    #expect(made.status == 0, "\(made.errors)")
    let text = try String(contentsOfFile: "\(folder.path)/worker.json", encoding: .utf8)
    let account = try JSONValue(text: text)
    #expect(account["token_uri"] == "https://auth.example.com/token")
    #expect(account["universe_domain"] == "googleapis.com")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: node)))
  func `the function for Node gets an access token that opens the project`() async throws {
    let function = try article("AdminSDKs").blocks("js").last.unwrapped("the function")
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\nlisten: { port: 0 }\n")
    let made = try Program.run(
      ["admin-token", "new", "--scope", "all", "--service-account", "\(folder.path)/worker.json"],
      in: folder,
      environment: ["AUTHGRAPH_STORE": "", "AUTHGRAPH_CONFIG": file])
    #expect(made.status == 0, "\(made.errors)")
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      // The server is at a free port, which publicURL does not name.
      let program = """
        \(function)
        const own = fetch;
        globalThis.fetch = (address, options) => own("\(server.address)/token", options);
        requestToken(require("./worker.json")).then((answer) => console.log(answer.access_token));
        """
      try folder.write("program.js", program)
      let shown = try Program.run(
        ["\(folder.path)/program.js"], of: Self.node, in: folder)
      #expect(shown.status == 0, "\(shown.errors)")
      let token = shown.output.trimmingCharacters(in: .newlines)
      let accounts = try server.get(
        "/v1/projects/default/accounts:batchGet", ["-H", "Authorization: Bearer \(token)"])
      #expect(accounts.status == 200, "\(accounts.body)")
    }
  }

  private static let node = "/usr/bin/node"

  @Test func `every switch in the table of differences exists`() throws {
    let initial = try Program.run(
      ["config", "init", "\(folder.path)/authgraph.yaml"], in: folder, environment: [:])
    #expect(initial.status == 0, "\(initial.errors)")
    let configuration = try String(
      contentsOfFile: "\(folder.path)/authgraph.yaml", encoding: .utf8)
    let rows = try article("WhatDiffers").prose.filter { $0.hasPrefix("| ") }
      .map { $0.components(separatedBy: " | ") }
    #expect(rows.count > 50)
    var checked = 0
    for row in rows {
      #expect(row.count == 3, "\(row)")
      let cell = row.last ?? ""
      guard !cell.hasPrefix("none") else { continue }
      for match in cell.matches(of: /`([A-Za-z.]+)`/) {
        let name = String(match.1)
        guard !Self.functions.contains(name) else { continue }
        checked += 1
        #expect(
          isSetting(name) || isMember(name, of: configuration), "\(name) is no setting: \(row)")
      }
    }
    #expect(checked > 12)
  }

  /// Functions of the console, and a member for programs that embed the services.
  private static let functions = ["policy.use", "hooks.use", "ServiceOptions.appVerifier"]

  private func isSetting(_ name: String) -> Bool {
    var value: JSONValue? = ProjectSettings().shown
    for part in name.split(separator: ".") { value = value?[String(part)] }
    return value != nil
  }

  private func isMember(_ name: String, of configuration: String) -> Bool {
    name.split(separator: ".").allSatisfy { configuration.contains("\($0):") }
  }
}
