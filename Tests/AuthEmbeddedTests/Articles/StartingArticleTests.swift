import AuthClient
import AuthEmbedded
import AuthServer
import Foundation
import HTTPClientTransport
import IdentityToolkitService
import Logging
import NIOCore
import SQLiteStore
import ServiceLifecycle
import Testing

/// The ways to start, as they are shown.
///
/// They set global state, once for a whole process.
@Suite(.serialized) struct `The beginnings that README and the articles show` {
  @Test func `over HTTP, with Firebase's names of settings`() async throws {
    try await withServer(.production) { address in
      let storage = MemorySessionStorage()
      let user = try await StartingSnippets.server(address, storage: storage)

      #expect(user.providerData.map(\.providerID) == ["password"])
      #expect(Auth.auth().currentUser === user)
      #expect(try storage.load() != nil)
    }
  }

  @Test func `against an emulator`() async throws {
    try await withServer(.emulator) { address in
      Auth.configure(
        backend: HTTPBackend(emulatorHost: "127.0.0.1", port: 9), storage: MemorySessionStorage())
      let user = try await StartingSnippets.emulator(try #require(address.port))

      #expect(user.isAnonymous && Auth.auth().currentUser === user)
    }
  }

  @Test func `embedded`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let user = try await StartingSnippets.embedded(folder.appending(path: "accounts.db").path)

    #expect(user.email == "ada@example.com")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        .isSuperset(of: ["accounts.db", "accounts.db.key"]))
  }

  @Test func `by Firebase's own words`() async throws {
    Auth.configure(backend: HTTPBackend.firebase, storage: MemorySessionStorage())
    let server = try #require(URL(string: "http://127.0.0.1:9"))
    let auth = StartingSnippets.firebaseApp(server, apiKey: "a key")

    #expect(auth.app?.options.authServerURL == server && auth.app?.options.apiKey == "a key")
    #expect(auth === Auth.auth())
    #expect(await FirebaseApp.app()?.delete() == true)
  }
}

/// Runs a server on the loopback interface for the time of a test.
private func withServer(
  _ mode: ServerMode, _ body: @escaping @Sendable (URL) async throws -> Void
) async throws {
  var options = ServiceOptions(project: "demo-shop")
  options.mode = mode
  let services = ServerServices(
    store: try SQLiteStore.inMemory(), secrets: .ephemeral, transport: HTTPClientTransport(),
    options: options)
  var configuration = HTTPConfiguration()
  configuration.port = 0
  let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let (ports, port) = AsyncStream.makeStream(of: Int.self)
  let running = ServiceGroup(
    services: [
      AuthServer(services: services, configuration: configuration, logger: quiet) {
        port.yield($0.port ?? 0)
      }
    ], logger: quiet)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await running.run() }
    defer { group.cancelAll() }
    var iterator = ports.makeAsyncIterator()
    let number = try #require(await iterator.next())
    try await body(try #require(URL(string: "http://127.0.0.1:\(number)")))
    await running.triggerGracefulShutdown()
    try await group.waitForAll()
  }
}
