import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import HTTPClientTransport
import IdentityToolkitService
import LuaPlugins
import PostgresStore
import SessionTokens
import Testing
import TestSupport

/// The store that several servers of a test share: in memory, or a schema of PostgreSQL.
enum SharedKind: CaseIterable {
  case double, postgres

  typealias Store = SharedStore & OutboxTaking

  /// Runs a body with a store for each server.
  func withStores(
    _ count: Int, _ body: @Sendable ([any Store]) async throws -> Void
  ) async throws {
    switch self {
    case .double:
      let store = try SharedDouble()
      try await body(Array(repeating: store, count: count))
    case .postgres:
      try await PostgresServer.shared.withSchema("servers") { url in
        let stores = try (0..<count).map { _ in try PostgresStore(url: url) }
        defer { for store in stores { store.close() } }
        try await body(stores)
      }
    }
  }
}

/// Servers on one store, each with its own cache.
///
/// Their clock stands still until a test moves it.
struct ServerPair {
  let clock = FixedClock()
  let first: ServerServices
  let second: ServerServices

  static let scope = Scope(project: ServerHome.project)
  let admin = Caller(scope: scope, authority: .admin("ada"), reason: "test")

  init(on stores: [any SharedKind.Store], plugins: (PluginSet, PluginSet)? = nil) {
    let clock = clock
    let secrets = EphemeralSealing()
    func server(_ store: any SharedStore, _ plugins: PluginSet?) -> ServerServices {
      var options = ServiceOptions(project: ServerHome.project)
      options.signing = .es256
      options.plugins = plugins
      options.clock = { clock.now }
      return ServerServices(
        store: store, secrets: secrets, transport: HTTPClientTransport(), options: options)
    }
    first = server(stores[0], plugins?.0)
    second = server(stores[1], plugins?.1)
  }

  /// Runs a body while the servers listen to each other.
  func whileSharing(_ body: () async throws -> Void) async throws {
    let tasks = [first, second].compactMap { ServerSharing($0) }
      .map { sharing in Task { await sharing.run() } }
    #expect(tasks.count == 2)
    defer { for task in tasks { task.cancel() } }
    try await body()
  }
}

extension TemporaryFolder {
  /// Writes a file with a modification time.
  func write(_ name: String, _ text: String, at moment: Timestamp) throws {
    let file = try write(name, text)
    let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }
}
