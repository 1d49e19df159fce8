import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import Foundation
import SQLiteStore
import Testing
import TestSupport

@Suite struct `Events for the app's server` {
  private func event(_ action: Action = .merge) -> AuditEvent {
    AuditEvent(
      id: "01hz", sequence: 7, scope: Scope(project: "shop", tenant: "berlin"),
      at: Timestamp(milliseconds: 1_750_000_000_000), actor: "anyone", reason: "a secret reason",
      action: action, accountID: AccountID("ada"), relatedIDs: [AccountID("bo")],
      details: ["identity": "google.com/1234"])
  }

  private func sink(_ transport: CountingTransport) -> WebhookOutboxSink {
    WebhookOutboxSink(
      transport: transport, url: "https://app.example/events?key=k", secret: Secret("signing"),
      privateHosts: ["app.example"]
    ) { Timestamp(milliseconds: 1_750_000_009_999) }
  }

  @Test func `a merge names the absorbed account, and is signed`() async throws {
    let transport = CountingTransport(always: HTTPResponse(status: 204))
    try await sink(transport).deliver(event())

    let request = try #require(transport.requests.first)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(
      try JSONValue(text: body) == [
        "id": "01hz", "sequence": 7, "action": "merge", "project": "shop", "tenant": "berlin",
        "at": "2025-06-15T15:06:40Z", "accountID": "ada", "relatedIDs": ["bo"],
        "mergedFrom": ["bo"],
      ])
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("1750000009.\(body)".utf8), using: SymmetricKey(data: Data("signing".utf8)))
    let hex = code.map { String(format: "%02x", $0) }.joined()
    #expect(request.value("Authgraph-Signature") == "t=1750000009,v1=\(hex)")
    #expect(request.value("Idempotency-Key") == "01hz")
    #expect(request.privateHosts == ["app.example"])
  }

  @Test func `private details of an event are not sent`() async throws {
    let transport = CountingTransport(always: HTTPResponse(status: 204))
    try await sink(transport).deliver(event(.link))
    let body = String(decoding: try #require(transport.requests.first).body, as: UTF8.self)
    #expect(!body.contains("secret") && !body.contains("1234") && !body.contains("mergedFrom"))
  }

  @Test(arguments: [301, 400, 429, 500])
  func `any other answer than 2xx is a failure that names the host alone`(
    status: Int
  ) async throws {
    let error = await #expect(throws: AuthError.self) {
      try await sink(CountingTransport(always: HTTPResponse(status: status))).deliver(event())
    }
    #expect(error?.code == .networkRequestFailed)
    #expect(error.map { String(reflecting: $0) }?.contains("key=k") == false)
  }

  @Test func `a store in a file hands out its events in order, once`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(path: folder.appending(path: "a.db").path)
    let transport = CountingTransport(always: HTTPResponse(status: 204))
    let scope = Scope(project: "shop")
    let worker = OutboxWorker(store: store, sink: sink(transport))
    try await worker.register()
    for number in 0..<5 {
      let event = AuditEvent(
        id: "event-\(number)", scope: scope, at: Timestamp(milliseconds: 0), actor: "anyone",
        reason: nil, action: number == 3 ? .update : .link, accountID: AccountID("ada"))
      try await store.write { _ = try $0.append(event) }
    }
    #expect(try await worker.deliverOnce() == 4)
    #expect(try await worker.deliverOnce() == 0)
    #expect(
      transport.requests.map { $0.value("Idempotency-Key") }
        == ["event-0", "event-1", "event-2", "event-4"])
    #expect(try await store.read { try $0.outbox(after: 0, limit: 10) }.isEmpty)
  }
}

extension HTTPRequest {
  fileprivate func value(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}
