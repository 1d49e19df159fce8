import AuthCore
import Foundation
import TestSupport
import Testing

/// `authgraph serve --import` and `--export-on-exit`, with the folders of Firebase's emulators.
@Suite struct `The folder of an emulator's accounts` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a folder as Firebase's tools export it.
  private func export(_ accounts: String = ada) throws -> String {
    let path = "\(folder.path)/seed"
    try FileManager.default.createDirectory(
      atPath: "\(path)/accounts_of_auth", withIntermediateDirectories: true)
    try folder.write(
      "seed/firebase-export-metadata.json",
      """
      {"version": "15.0.0", "firestore": {"version": "1.19.8", "path": "firestore_export"},
       "auth": {"version": "15.0.0", "path": "accounts_of_auth"}}
      """)
    try folder.write("seed/accounts_of_auth/accounts.json", accounts)
    try folder.write(
      "seed/accounts_of_auth/config.json", #"{"signIn": {"allowDuplicateEmails": true}}"#)
    return path
  }

  private static let ada = """
    {"kind": "identitytoolkit#DownloadAccountResponse", "users": [
      {"localId": "ada", "email": "ada@example.com", "emailVerified": true, "createdAt": "1650000000000",
       "passwordHash": "fakeHash:salt=fakeSaltabc:password=secret12", "salt": "fakeSaltabc",
       "lastRefreshAt": "2022-04-15T05:20:00.000Z",
       "providerUserInfo": [{"providerId": "password", "email": "ada@example.com",
         "federatedId": "ada@example.com", "rawId": "ada@example.com"}]}]}
    """

  private func emulator(_ arguments: String...) throws -> RunningServer {
    try RunningServer(["--compat", "emulator", "--port", "0"] + arguments, in: folder)
  }

  private func signIn(_ server: RunningServer) throws -> JSONValue {
    let answer = try server.get(
      "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
      [
        "-H", "Content-Type: application/json", "-d",
        #"{"email": "ada@example.com", "password": "secret12"}"#,
      ])
    return try JSONValue(text: answer.body)
  }

  @Test func `accounts and configuration come back from an export of an export`() async throws {
    let seed = try export()
    let copy = "\(folder.path)/made/copy"
    try await blocking { [self] in
      let first = try emulator("--import", seed, "--export-on-exit", copy)
      #expect(try signIn(first)["localId"] == "ada")
      #expect(try first.end(by: SIGTERM).status == 0)

      let second = try emulator("--import", copy)
      #expect(try signIn(second)["localId"] == "ada")
      let configuration = try second.get("/emulator/v1/projects/demo-project/config")
      #expect(
        try JSONValue(text: configuration.body)["signIn"]?["allowDuplicateEmails"] == true)
      #expect(try second.end(by: SIGINT).status == 0)
    }
  }

  @Test func `exports of other emulators stay in the metadata`() async throws {
    let seed = try export()
    try await blocking { [self] in
      let server = try emulator("--import", seed, "--export-on-exit", seed)
      #expect(try server.end(by: SIGTERM).status == 0)
    }
    let metadata = try JSONValue(
      text: try folder.read("seed/firebase-export-metadata.json"))
    #expect(metadata["firestore"]?["path"] == "firestore_export")
    #expect(metadata["auth"]?["path"] == "auth_export")
    let accounts = try JSONValue(text: try folder.read("seed/auth_export/accounts.json"))
    guard case .array(let users)? = accounts["users"] else {
      throw Failed(description: "no users: \(accounts)")
    }
    #expect(users.map { $0["localId"]?.stringValue } == ["ada"])
  }

  @Test func `a first run makes the folder, and an export of nobody can be imported`() async throws
  {
    let path = "\(folder.path)/seed"
    let command = try Article("Sources/AuthServer/AuthServer.docc/Modes.md").lines("bash").first
      .unwrapped("the command")
    let words = command.split(separator: " ").dropFirst(2).map {
      $0 == "seed" ? path : String($0)
    }
    #expect(words.filter { $0 == path }.count == 2)
    try await blocking { [self] in
      for _ in 1...2 {
        let server = try RunningServer(words + ["--port", "0"], in: folder)
        #expect(try server.end(by: SIGTERM).status == 0)
      }
    }
    #expect(FileManager.default.fileExists(atPath: "\(path)/firebase-export-metadata.json"))
  }

  @Test func `an emulator with a store imports again at its next start`() async throws {
    let seed = try export()
    try await blocking { [self] in
      for _ in 1...2 {
        let server = try emulator("--store", "sqlite:\(folder.path)/kept.db", "--import", seed)
        #expect(try signIn(server)["localId"] == "ada")
        #expect(try server.end(by: SIGTERM).status == 0)
      }
    }
  }

  @Test func `more accounts than one upload takes are imported`() async throws {
    let users = (0..<1001).map { #"{"localId": "u\#($0)"}"# }.joined(separator: ",")
    let seed = try export(#"{"users": [\#(users)]}"#)
    try await blocking { [self] in
      let server = try emulator("--import", seed)
      #expect(server.written.contains("accounts=1001"), "\(server.written)")
      #expect(try server.end(by: SIGTERM).status == 0)
    }
  }

  @Test func `a folder without accounts, a refused user and production are errors`() async throws {
    let refused = try export(#"{"users": [{"localId": "a"}, {"localId": "b", "email": "no"}]}"#)
    try await blocking { [self] in
      for (arguments, words) in [
        (["--compat", "emulator", "--import", "\(folder.path)/nothing"], "no exported accounts"),
        (["--compat", "emulator", "--import", refused], "User 1 of "),
        (["--import", refused], "Only --compat emulator takes --import."),
        (["--export-on-exit", refused], "Only --compat emulator takes --export-on-exit."),
      ] {
        let outcome = try Program.run(["serve", "--port", "0"] + arguments, in: folder)
        #expect(outcome.status == 1, "\(arguments)\n\(outcome.output)")
        #expect(outcome.errors.contains(words), "\(arguments)\n\(outcome.errors)")
      }
    }
  }
}
