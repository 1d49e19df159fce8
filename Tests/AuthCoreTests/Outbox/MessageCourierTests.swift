import AuthTesting
import Synchronization
import Testing
import TestSupport

@testable import AuthCore

/// A woken courier sends committed messages and retries failures; the store reveals none of them.
@Suite struct `Messages that wait in the store` {
  let home = TestHome()
  private let failures = Failures()

  private func courier(_ home: TestHome? = nil) -> MessageCourier {
    MessageCourier((home ?? self.home).graph, report: failures.add)
  }

  /// Wakes a courier and waits until it has tried everything that is due.
  private func deliver(_ home: TestHome? = nil) async {
    let courier = courier(home)
    courier.wake()
    await courier.settled()
    await courier.finish(within: .zero)
  }

  private let letter = ActionCodeLetter(requestedFrom: "192.0.2.1", locale: "de") { issued in
    Secret("https://app.example/?oobCode=\(issued.code.reveal())")
  }

  private func ask(_ email: String, _ operation: ActionCode.Operation = .resetPassword) async throws
  {
    try await home.graph.sendActionCode(
      ActionCodeRequest(operation, email: try EmailAddress(email)), as: letter, by: home.anyone)
  }

  private func waiting() async throws -> [OneTimeRecord] {
    try await home.store.read {
      try $0.oneTimeRecords(.message, after: nil, limit: 100, in: .servers)
    }
  }

  @Test func `a message is committed with its code, and gone from the store once it was sent`()
    async throws
  {
    _ = try await home.withPassword("ada@example.com")
    try await ask("ada@example.com")
    #expect(home.messages.messages.isEmpty)
    #expect(try await waiting().count == 1)
    await deliver()
    let message = try home.messages.last(to: "ada@example.com").unwrapped("message")
    #expect(message.kind == .resetPassword && message.locale == "de")
    #expect(message.requestedFrom == "192.0.2.1")
    #expect(try await waiting().isEmpty)
    let code = String(message.proof.reveal().drop { $0 != "=" }.dropFirst())
    _ = try await home.graph.confirmPasswordReset(
      code, newPassword: Secret("second-secret"), by: home.anyone)
  }

  @Test func `nothing of a message can be read in the store, nor in the audit of one given up`()
    async throws
  {
    _ = try await home.withPassword("ada@example.com")
    home.messages.fail(with: AuthError(.invalidEmail, "No mail goes there."))
    try await ask("ada@example.com")
    for record in try await waiting() {
      for secret in ["ada@", "app.example", "192.0.2.1", "reset"] {
        #expect(!"\(record)".contains(secret))
      }
      #expect(record.account == nil)
    }
    await deliver()
    #expect(failures.all.map(\.isGivenUp) == [true])
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.action == .sendMessage && event.errorCode == "invalid-email")
    #expect(event.accountID == (try await home.graph.accounts(limit: 1, in: home.scope)[0].id))
    #expect(!"\(event)".contains("oobCode") && !"\(event)".contains("ada@example.com"))
    #expect(!event.concernsApps)
    #expect(try await waiting().isEmpty)
  }

  @Test func `S10 a message that fails is tried again with growing pauses, and then given up`()
    async throws
  {
    _ = try await home.withPassword("ada@example.com")
    home.messages.fail(with: AuthError(.networkRequestFailed, "No mail today."))
    try await ask("ada@example.com", .verifyEmail, by: home)
    var attempts = 0
    var pauses: [Int64] = []
    while let record = try await waiting().first {
      let due = WaitingMessage(record)?.dueAt ?? home.clock.now
      pauses.append((due.milliseconds - home.clock.now.milliseconds) / 1000)
      home.clock.advance(seconds: pauses.last ?? 0)
      await deliver()
      attempts += 1
      try #require(attempts < 20)
      #expect(failures.all.count == attempts)
    }
    #expect(attempts == 12)
    #expect(pauses.prefix(5) == [0, 5, 10, 20, 40])
    #expect(failures.all.map(\.isGivenUp) == [Bool](repeating: false, count: 11) + [true])
    // A message that finally arrives is sent once.
    try await ask("ada@example.com", .verifyEmail, by: home)
    await deliver()
    home.messages.fail(with: nil)
    home.clock.advance(seconds: 5)
    await deliver()
    await deliver()
    #expect(home.messages.messages.count == 1)
  }

  private func ask(
    _ email: String, _ operation: ActionCode.Operation, by home: TestHome
  ) async throws {
    try await home.graph.sendActionCode(
      ActionCodeRequest(operation, email: try EmailAddress(email)), as: letter, by: home.admin)
  }

  @Test func `a message whose code is over is not sent any more`() async throws {
    _ = try await home.withPassword("ada@example.com")
    try await ask("ada@example.com")
    home.clock.advance(seconds: 3601)
    await deliver()
    #expect(home.messages.messages.isEmpty)
    #expect(failures.all.map(\.isGivenUp) == [true])
  }

  @Test func `a message that another process took and never sent is sent after its lease`()
    async throws
  {
    _ = try await home.withPassword("ada@example.com")
    try await ask("ada@example.com")
    home.messages.fail(with: nil)
    let stuck = MessageWorker(
      graph: home.graph.sending(by: StuckSender()), schedule: OutboxWorker.Schedule()
    ) { _ in }
    let process = Task { try await stuck.run() }
    try await eventually { try await waiting().first.flatMap(WaitingMessage.init)?.attempts == 1 }
    process.cancel()
    _ = try? await process.value
    await deliver()
    #expect(home.messages.messages.isEmpty)
    home.clock.advance(seconds: 121)
    await deliver()
    #expect(home.messages.messages.count == 1)
    #expect(failures.all.isEmpty)
  }

  @Test func `a message to one that hangs does not hold up the others`() async throws {
    for name in ["ada", "bo", "cy"] {
      _ = try await home.withPassword("\(name)@example.com")
      try await ask("\(name)@example.com")
    }
    let sender = HangingSender("ada@example.com")
    let courier = MessageCourier(home.graph.sending(by: sender))
    courier.wake()
    try await eventually { sender.sent.count == 2 }
    try await ask("bo@example.com", .emailSignIn)
    courier.wake()
    await courier.finish(within: .zero)
    #expect(Set(sender.sent).isSuperset(of: ["bo@example.com", "cy@example.com"]))
  }

  @Test func `without a way to send, nothing is made`() async throws {
    let graph = home.graph.sending(by: NoMessages())
    for email in ["ada@example.com", "nobody@example.com"] {
      await expectError(.operationNotAllowed) {
        try await graph.sendActionCode(
          ActionCodeRequest(.resetPassword, email: try EmailAddress(email)), as: letter,
          by: home.anyone)
      }
    }
    #expect(try await waiting().isEmpty)
  }
}

extension AccountGraph {
  /// Returns the same graph with another sender.
  fileprivate func sending(by sender: any MessageSender) -> AccountGraph {
    var services = services
    services.messages = sender
    return AccountGraph(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random)
  }
}

private final class Failures: Sendable {
  private let kept = Mutex<[MessageFailure]>([])
  var all: [MessageFailure] { kept.withLock { $0 } }
  func add(_ failure: MessageFailure) { kept.withLock { $0.append(failure) } }
}

/// A sender that never returns by itself.
private struct StuckSender: MessageSender {
  func send(_ message: OutgoingMessage) async throws { try await Task.sleep(for: .seconds(3600)) }
}

/// A sender that hangs for one recipient.
private final class HangingSender: MessageSender {
  private let recipient: String
  private let kept = Mutex<[String]>([])

  init(_ recipient: String) { self.recipient = recipient }

  var sent: [String] { kept.withLock { $0 } }

  func send(_ message: OutgoingMessage) async throws {
    if message.recipient == recipient { try await Task.sleep(for: .seconds(3600)) }
    kept.withLock { $0.append(message.recipient) }
  }
}
