import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

@testable import PostgresStore

/// A store's announcements while something between it and the database drops packets.
@Suite(.serialized) struct SilenceTests {
  private static let scope = Scope(project: "test")

  /// A record of the changes that a store announces.
  private final class Heard: Sendable {
    private let changes = Mutex<[StoreChange]>([])
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ store: PostgresStore) {
      let stream = store.changes()
      let listening = Task { [weak self] in
        for await change in stream { self?.changes.withLock { $0.append(change) } }
      }
      task.withLock { $0 = listening }
    }

    deinit { task.withLock { $0?.cancel() } }

    var all: [StoreChange] { changes.withLock(\.self) }

    func clear() { changes.withLock { $0 = [] } }

    /// Waits, far longer than it may take.
    func wait(for wanted: String, _ isEnough: ([StoreChange]) -> Bool) async throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while !isEnough(all) {
        try #require(ContinuousClock.now < deadline, "\(wanted): \(all.count) changes")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func withProxy(
    _ options: [String] = [],
    _ body: (_ near: PostgresStore, _ far: PostgresStore, DatabaseProxy) async throws -> Void
  ) async throws {
    let server = try PostgresServer()
    let proxy = try DatabaseProxy(to: try #require(server.port))
    defer { proxy.end() }
    let near = try PostgresStore(url: server.url(options: options))
    defer { near.close() }
    let url = "postgres://postgres@127.0.0.1:\(proxy.port)/postgres"
    let far = try PostgresStore(
      url: options.isEmpty ? url : "\(url)?\(options.joined(separator: "&"))")
    defer { far.close() }
    try await body(near, far, proxy)
  }

  @Test(arguments: ["notify", "poll"])
  func `D7: a connection that listens and falls silent is replaced`(_ way: String) async throws {
    try await withProxy(["announcements=\(way)"]) { near, far, proxy in
      let heard = Heard(far)
      try await heard.wait(for: "the first word") { !$0.isEmpty }
      proxy.swallow(new: false)
      heard.clear()

      try await near.write { try $0.saveCheckpoint("a", "1", in: Self.scope) }

      try await heard.wait(for: "a word after the silence") { $0.contains(.anything) }
      // Later changes are announced in detail again.
      let wanted: StoreChange = way == "notify" ? .checkpoint("b", Self.scope) : .anything
      try await Task.sleep(for: .milliseconds(1500))
      heard.clear()
      try await near.write { try $0.saveCheckpoint("b", "1", in: Self.scope) }
      try await heard.wait(for: "the next word") { $0.contains(wanted) }
    }
  }

  @Test func `D7: no cached value is trusted while the listening connection is silent`()
    async throws
  {
    try await withProxy { near, far, proxy in
      let heard = Heard(far)
      try await heard.wait(for: "the first word") { !$0.isEmpty }
      proxy.swallow(new: true)
      heard.clear()

      // Each of them invalidates a server's caches.
      try await heard.wait(for: "ten warnings") { $0.count >= 10 }
      #expect(heard.all.allSatisfy { $0 == .anything })
      proxy.recover()
      try await Task.sleep(for: .seconds(5))
      heard.clear()
      try await near.write { try $0.saveCheckpoint("c", "1", in: Self.scope) }
      try await heard.wait(for: "the change") { $0.contains(.checkpoint("c", Self.scope)) }
    }
  }

  @Test func `D7: a connection that works is silent if nothing changes`() async throws {
    try await withProxy { near, far, _ in
      let heard = Heard(far)
      try await heard.wait(for: "the first word") { !$0.isEmpty }
      heard.clear()
      try await Task.sleep(for: .seconds(3))
      #expect(heard.all.count < 3, "\(heard.all)")
      try await near.write { try $0.saveCheckpoint("d", "1", in: Self.scope) }
      try await heard.wait(for: "the change") { $0.contains(.checkpoint("d", Self.scope)) }
    }
  }

  @Test func `D10: a commit whose answer is lost is an error of its own, and is not run twice`()
    async throws
  {
    try await withProxy(["connections=1"]) { near, far, proxy in
      proxy.cut(after: "COMMIT")

      let error = await #expect(throws: AuthError.self) { try await far.add("a") }

      expectExplained(
        try #require(error), .unsureCommit, "whether the change was made is not known")
      #expect(try await far.uids() == near.uids())
      try await far.add("b")
      #expect(try await near.uids().suffix(1) == ["b"])
    }
  }
}
