import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing

@testable import Commands

/// The diagnoses of `doctor` for a clock that differs from others.
@Suite struct `A clock that doctor compares` {
  /// The milliseconds by which the clock is ahead, and whether that is wrong.
  static let cases: [(Int64, Bool)] = [
    (0, false), (500, false), (-500, false), (2100, true), (-2100, true), (30_000, true),
    (-300_000, true),
  ]

  /// Answers with the time of another clock, or not at all.
  private struct Web: HTTPTransport {
    let time: (@Sendable () -> Date)?

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      guard let time else { throw AuthError(.networkRequestFailed, "There is no network.") }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return HTTPResponse(status: 200, headers: ["date": formatter.string(from: time())], body: [])
    }
  }

  private func examine(
    _ store: (any AccountStore)?, _ web: Web, ahead milliseconds: Int64
  ) async -> [Diagnosis] {
    let source = ConfigurationSource(file: nil, environment: [:])
    return await ClockHealthCheck(
      store: store, transport: web, configuration: Configuration(source),
      clock: { Timestamp(milliseconds: Timestamp.now().milliseconds + milliseconds) }
    ).run()
  }

  @Test(arguments: cases)
  func `D5: PostgreSQL's clock is asked, and two seconds are wrong`(
    _ milliseconds: Int64, _ isWrong: Bool
  ) async throws {
    try await PostgresServer.shared.withSchema("clock") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      let found = await examine(store, Web(time: nil), ahead: milliseconds)
      #expect(found.count == 1)
      #expect(found.first?.state == (isWrong ? .wrong : .ok), "\(found)")
      #expect(found.first?.text.contains("PostgreSQL") == true)
    }
  }

  @Test(arguments: cases)
  func `D5: a web server's clock is asked, and two seconds are wrong`(
    _ milliseconds: Int64, _ isWrong: Bool
  ) async throws {
    let found = await examine(nil, Web(time: { Date() }), ahead: milliseconds)
    #expect(found.map(\.state) == [isWrong ? .wrong : .ok], "\(found)")
  }

  @Test func `D5: an event of two seconds ahead is noticed`() async throws {
    let store = MemoryStore()
    let event = AuditEvent(
      id: "e", scope: Scope(project: "default"), at: Timestamp.now().adding(seconds: 3),
      actor: "admin:ada", reason: nil, action: .create, accountID: nil)
    try await store.write { try $0.append(event) }
    let found = await examine(store, Web(time: nil), ahead: 0)
    #expect(found.map(\.state) == [.wrong], "\(found)")
  }
}
