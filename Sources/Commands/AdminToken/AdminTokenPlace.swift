import AdminConsole
import AuthCore
import Foundation
import SessionTokens

/// The tokens of a project, and the caller who manages them.
struct AdminTokenPlace {
  let tokens: AdminTokens
  let caller: Caller
  /// The address at which clients reach the server.
  let server: String

  init(_ options: ConfigurationOptions) throws {
    let source = options.source()
    let configuration = Configuration(source)
    // Other errors of the configuration do not concern the tokens.
    let matters = source.findings.filter { $0.severity == .error }
    if let finding = matters.first(where: { ["", "store", "project"].contains($0.field) }) {
      throw AuthError(
        .invalidArgument, "\(finding.place): \(finding.message)", field: finding.field,
        remedy: finding.remedy)
    }
    guard configuration.store != .memory else {
      throw AuthError(
        .invalidArgument, "A store in memory keeps no tokens.", field: "store",
        remedy: "Name the server's store; the emulator takes the token owner.")
    }
    tokens = AdminTokens(store: try configuration.store.open())
    server = configuration.publicURL ?? ServerRun.ownURL(configuration.http)
    caller = Caller(
      scope: Scope(project: configuration.project), authority: .admin(NSUserName()),
      reason: "authgraph admin-token")
  }
}

extension AdminTokenPlace {
  /// Makes a key, and writes its file; `-` stands for standard output.
  ///
  /// The file is made before the key, so that no key is registered whose file cannot be written.
  func write(
    to path: String, _ make: @escaping @Sendable () async throws -> ServiceAccountFile
  ) throws -> ServiceAccountFile {
    guard path != "-" else { return try waiting(make) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AuthError(
        .invalidArgument,
        "The file \(path) cannot be written: \(String(cString: strerror(errno))).",
        field: "service-account", remedy: "Name a new file in a folder that exists.")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let file = try waiting(make)
      try handle.write(contentsOf: Data(file.text.reveal().utf8))
      try handle.synchronize()
      return file
    } catch {
      unlink(path)
      throw error
    }
  }
}

extension ServiceAccountFile {
  /// Tells what was made: the file's content if it goes to standard output, and else a notice or JSON.
  func tell(_ notice: String, asJSON: Bool, to path: String) throws {
    if path == "-" {
      try StandardStreams.print(text.reveal().trimmingCharacters(in: .newlines))
    } else if asJSON {
      try StandardStreams.print(
        JSONValue.object([
          "name": .string(name), "email": .string(email), "keyID": .string(keyID),
          "file": .string(path),
        ]))
    }
    guard !asJSON else { return }
    let place = path == "-" ? "The file" : "The file \(path)"
    // A file that was made without the server's configuration shows here, before an SDK fails with it.
    let source =
      content.reveal()["token_uri"]?.stringValue.map { " Access tokens come from \($0)." } ?? ""
    StandardStreams.warn(
      "\(notice) \(place) has its private key, which is never shown again. "
        + "Its address is \(email).\(source)")
  }
}
