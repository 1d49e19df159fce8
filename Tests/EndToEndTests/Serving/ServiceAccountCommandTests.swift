import AuthCore
import Foundation
import Testing
import TestSupport

/// The files of service accounts that the command line writes, and what a server does with their keys.
@Suite struct `The files of service accounts` {
  let folder: TemporaryFolder
  let configuration: String

  init() throws {
    folder = try TemporaryFolder()
    configuration = try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      listen: { port: 0 }

      """)
  }

  private func command(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      ["admin-token"] + arguments + ["--config", configuration], in: folder,
      environment: ["AUTHGRAPH_STORE": ""])
  }

  private func json(_ file: String) throws -> JSONValue {
    try JSONValue(text: String(contentsOfFile: file, encoding: .utf8))
  }

  @Test func `are new, private to their owner, and have the server's address`() throws {
    let file = "\(folder.path)/account.json"
    let made = try command("new", "--scope", "all", "--name", "sdk", "--service-account", file)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.isEmpty && made.errors.contains("never shown again"))
    #expect(made.errors.contains("Access tokens come from http://127.0.0.1:9099/token."))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let content = try json(file)
    #expect(content["type"] == "service_account")
    #expect(content["project_id"] == "default")
    #expect(content["token_uri"] == "http://127.0.0.1:9099/token")
    #expect(content["client_email"] == "sdk@default.serviceaccount.internal")

    let again = try command("new", "--scope", "all", "--name", "two", "--service-account", file)
    #expect(again.status == 1 && again.errors.contains("cannot be written"), "\(again.errors)")
    #expect(try json(file) == content)
    // A refused account leaves no file.
    let taken = "\(folder.path)/taken.json"
    let refused = try command("new", "--scope", "all", "--name", "sdk", "--service-account", taken)
    #expect(refused.status == 1 && refused.errors.contains("(name)"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: taken))
  }

  @Test func `are written to standard output, rotated, listed and revoked`() throws {
    let made = try command("new", "--scope", "audit", "--name", "sdk", "--service-account", "-")
    #expect(made.status == 0, "\(made.errors)")
    let first = try JSONValue(text: made.output)
    let file = "\(folder.path)/next.json"
    let turned = try command("rotate", "sdk", "--service-account", file, "--keep", "2h")
    #expect(turned.status == 0, "\(turned.errors)")
    let next = try json(file)
    #expect(next["client_email"] == first["client_email"])
    #expect(next["private_key_id"] != first["private_key_id"])
    let list = try command("list", "--json")
    #expect(list.output.contains("sdk@default.serviceaccount.internal"))
    #expect(!list.output.contains("PRIVATE"))
    let keys = try JSONValue(text: list.output).entries.first?["keys"]?.entries
    #expect(keys == [first["private_key_id"], next["private_key_id"]].compactMap(\.self))
    let unknown = try command("rotate", "skd", "--service-account", "-")
    #expect(unknown.status == 1 && unknown.errors.contains("sdk"), "\(unknown.errors)")
    #expect(try command("revoke", "sdk").status == 0)
    #expect(try JSONValue(text: try command("list", "--json").output).entries.isEmpty)
  }
}

extension JSONValue {
  fileprivate var entries: [JSONValue] {
    guard case .array(let entries) = self else { return [] }
    return entries
  }
}
