import AuthCore
import Foundation
import IdentityToolkitService
import LuaPlugins

/// A folder with the accounts and the configuration of a project, in the format of Firebase's emulators.
///
/// `firebase-export-metadata.json` names the folder of accounts, beside those of other emulators.
struct EmulatorFolder: Sendable {
  let path: String
  let project: String

  private static let metadata = "firebase-export-metadata.json"
  private static let ownFolder = "auth_export"
  /// The number of users that one upload takes.
  private static let usersOfUpload = 1000
  /// The largest file that is read, in bytes.
  private static let longestFile = 1 << 30

  /// Imports the folder, and returns the number of its accounts; nil if there is no export in it.
  ///
  /// Throws `invalid-argument` with the field `import` if a file cannot be read, or if a user is refused.
  func load(into dispatcher: Dispatcher) async throws -> Int? {
    guard let folder = try accountsFolder(),
      let accounts = try read("\(folder)/accounts.json")
    else { return nil }
    if let configuration = try read("\(folder)/config.json") {
      try await send(
        "PATCH", "/emulator/v1/projects/\(project)/config", configuration, to: dispatcher)
    }
    guard case .object(var upload) = accounts, case .array(let users)? = upload["users"] else {
      throw unusable("\(folder)/accounts.json has no list of users.")
    }
    // An emulator with a store has the accounts of its last run.
    upload["allowOverwrite"] = true
    for start in stride(from: 0, to: users.count, by: Self.usersOfUpload) {
      upload["users"] = .array(Array(users[start...].prefix(Self.usersOfUpload)))
      let answer = try await send(
        "POST", "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:batchCreate",
        .object(upload), to: dispatcher)
      try check(answer, of: folder, after: start)
    }
    return users.count
  }

  /// Writes the project's accounts and configuration; exports of other emulators in the folder stay.
  ///
  /// Throws `invalid-argument` with the field `export-on-exit` if a file cannot be written.
  func save(from dispatcher: Dispatcher) async throws {
    let accounts = try await send(
      "GET", "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:batchGet",
      query: "maxResults=-1", to: dispatcher)
    let configuration = try await send(
      "GET", "/emulator/v1/projects/\(project)/config", to: dispatcher)
    let entry: JSONValue = [
      "version": .string(PluginContract.program), "path": .string(Self.ownFolder),
    ]
    var members: [String: JSONValue] = ["version": .string(PluginContract.program)]
    if case .object(let known)? = try? read("\(path)/\(Self.metadata)") { members = known }
    members["auth"] = entry
    do {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(Self.ownFolder)", withIntermediateDirectories: true)
      for (name, value) in [
        ("\(Self.ownFolder)/accounts.json", accounts),
        ("\(Self.ownFolder)/config.json", configuration),
        (Self.metadata, JSONValue.object(members)),
      ] {
        let bytes = JSONWriter.bytes(of: value, spread: true)
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
      }
    } catch {
      throw AuthError(
        .invalidArgument, "The accounts cannot be exported to \(path).", field: "export-on-exit",
        remedy: "Choose a folder that can be written.", cause: error)
    }
  }

  /// The folder of accounts: the one that the metadata name, or this one; nil for an export without accounts.
  private func accountsFolder() throws -> String? {
    guard let metadata = try read("\(path)/\(Self.metadata)") else { return path }
    guard let auth = metadata["auth"] else { return nil }
    return "\(path)/\(auth["path"]?.stringValue ?? Self.ownFolder)"
  }

  /// Reads a file; returns nil if there is none.
  private func read(_ file: String) throws -> JSONValue? {
    do {
      let bytes = try InputFile.bytes(of: file, atMost: Self.longestFile)
      return try JSONValue(text: String(decoding: bytes, as: UTF8.self))
    } catch let error as InputFile.Unreadable {
      guard !error.isMissing else { return nil }
      throw unusable("\(file) cannot be read: \(error.reason).")
    } catch {
      throw unusable("\(file) is no JSON.")
    }
  }

  /// Refuses the first user that the upload left out.
  private func check(_ answer: JSONValue, of folder: String, after start: Int) throws {
    guard case .array(let faults)? = answer["error"], let fault = faults.first else { return }
    guard case .integer(let index)? = fault["index"] else { return }
    throw unusable(
      "User \(start + Int(index)) of \(folder)/accounts.json, counted from 0, is refused: "
        + "\(fault["message"]?.stringValue ?? "no reason is given").")
  }

  @discardableResult
  private func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, query: String = "",
    to dispatcher: Dispatcher
  ) async throws -> JSONValue {
    let request = ServerRequest(
      method: method, path: path, query: query,
      headers: ["authorization": "Bearer owner", "content-type": "application/json"],
      body: body.map { JSONWriter.bytes(of: $0) } ?? [])
    let response = await dispatcher.answer(request).response
    let answer = try JSONValue(text: String(decoding: response.body, as: UTF8.self))
    guard response.status == 200 else {
      throw unusable(
        "\(self.path) is refused: \(answer["error"]?["message"]?.stringValue ?? answer.text)")
    }
    return answer
  }

  private func unusable(_ message: String) -> AuthError {
    AuthError(
      .invalidArgument, message, field: "import",
      remedy: "Give a folder of the emulators' export, or one with accounts.json.")
  }
}
