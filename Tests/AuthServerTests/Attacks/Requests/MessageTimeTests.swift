import AuthCore
import AuthTesting
import Logging
import SQLiteStore
import Synchronization
import Testing
import TestSupport

@testable import IdentityToolkitService

/// The time of an answer that announces a message must not depend on the existence of a recipient.
@Suite struct `Attacks by the time of messages` {
  /// The messages that can be requested for an address without a session.
  private static let types = ["PASSWORD_RESET", "EMAIL_SIGNIN"]

  private static func ask(
    _ type: String, _ email: String, of home: ServerHome
  ) async throws -> Reply {
    let body: JSONValue = ["requestType": .string(type), "email": .string(email)]
    return try await home.answer(
      "POST", "/v1/accounts:sendOobCode?key=k", Array(body.text.utf8),
      headers: ["Content-Type": "application/json"])
  }

  @Test(arguments: [true, false])
  func `S10 attack 44: no answer waits for the sender, known address or unknown`(
    _ isHidden: Bool
  ) async throws {
    let gate = GatedSender()
    try await withServer(.production, configure: { $0.sender = gate }) { home in
      let ada = try await home.person()
      try await home.change { $0.signIn.hidesAccounts = isHidden }
      // The gate is closed, so an answer that waited for a message would never come.
      for type in Self.types {
        let known = try await Self.ask(type, "ada@example.com", of: home)
        let unknown = try await Self.ask(type, "bob@example.com", of: home)
        #expect(known.status == 200, "\(known.text)")
        if isHidden || type == "EMAIL_SIGNIN" {
          #expect(known.text.replacing("ada@", with: "bob@") == unknown.text)
        } else {
          #expect(unknown.message == "EMAIL_NOT_FOUND")
        }
      }
      for (path, body): (String, JSONValue) in [
        ("/v1/accounts:sendOobCode", ["requestType": "VERIFY_EMAIL"]),
        (
          "/v1/accounts:sendOobCode",
          ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "new@example.com"]
        ),
      ] {
        var members = body.objectMembers
        members["idToken"] = .string(ada.idToken)
        let reply = try await home.answer(
          "POST", "\(path)?key=k", Array(JSONValue.object(members).text.utf8),
          headers: ["Content-Type": "application/json"])
        #expect(reply.status == 200, "\(reply.text)")
      }
      #expect(gate.sent.isEmpty)
      gate.open()
      for courier in home.couriers { await courier.settled() }
      var expected = ["ada@example.com", "ada@example.com", "ada@example.com", "new@example.com"]
      // An unknown address may sign in by a link, and has no password to reset.
      expected.append("bob@example.com")
      #expect(gate.sent.sorted() == expected.sorted())
    }
  }

  @Test func `S10 a change that is taken back by mail does not wait for that mail`() async throws {
    let gate = GatedSender()
    try await withServer(.production, configure: { $0.sender = gate }) { home in
      _ = try await home.person()
      let ada = try await home.signedIn("ada@example.com")
      gate.open()
      let asked = try await home.post(
        "/v1/accounts:sendOobCode",
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(ada.idToken),
          "newEmail": "new@example.com",
        ])
      #expect(asked.status == 200, "\(asked.text)")
      let code = try #require(parameters(of: gate.last)["oobCode"])
      gate.close()
      let body: JSONValue = ["oobCode": .string(code)]
      let changed = try await home.answer(
        "POST", "\(ServerHome.update)?key=k", Array(body.text.utf8),
        headers: ["Content-Type": "application/json"])
      #expect(changed.status == 200, "\(changed.text)")
      gate.open()
      for courier in home.couriers { await courier.settled() }
      #expect(gate.sent.last == "ada@example.com")
      #expect(parameters(of: gate.last)["mode"] == "recoverEmail")
    }
  }

  /// The stores whose transactions are counted for a request.
  enum Kind: String, CaseIterable {
    case memory, sqlite

    func make() throws -> any AccountStore {
      self == .memory ? MemoryStore() : try SQLiteStore.inMemory()
    }
  }

  @Test(arguments: Kind.allCases)
  func `S10 attack 44: an unknown address takes the same transactions and rows`(
    _ kind: Kind
  ) async throws {
    let store = FaultyStore(try kind.make())
    try await withServer(.production, store: store) { home in
      _ = try await home.person()
      _ = try await home.person("unproven@example.com", verified: false)
      for type in Self.types {
        var work: [FaultyStore.Work: Set<String>] = [:]
        for round in 1...3 {
          for email in [
            "ada@example.com", "unproven@example.com", "bob@example.com", "carl@example.com",
          ] {
            _ = store.takeWork()
            let reply = try await home.post(
              "/v1/accounts:sendOobCode",
              ["requestType": .string(type), "email": .string(email)])
            #expect(reply.status == 200)
            // Includes the work after the answer, which delays the next one.
            work[store.takeWork(), default: []].insert("\(email) \(round)")
          }
        }
        #expect(work.count == 1, "\(type): \(work)")
      }
      #expect(home.messages.messages.filter { $0.kind == .resetPassword }.count == 6)
    }
  }

  @Test func `S10 a message that fails changes no answer, is logged, and comes again`() async throws
  {
    let log = MessageLog()
    try await withServer(
      .production,
      configure: { $0.logger = Logger(label: "server") { _ in log } }
    ) { home in
      _ = try await home.person()
      home.messages.fail(with: AuthError(.networkRequestFailed, "No mail today."))
      var replies: Set<String> = []
      for email in ["ada@example.com", "bob@example.com"] {
        let reply = try await home.post(
          "/v1/accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(email)])
        replies.insert("\(reply.status) \(reply.text.replacing("ada@", with: "bob@"))")
      }
      #expect(replies.count == 1)
      #expect(log.lines.filter { $0.contains("tried again") }.count == 1)
      #expect(log.lines.contains { $0.contains("reset-password") && $0.contains("No mail today") })
      #expect(!log.lines.contains { $0.contains("ada@example.com") || $0.contains("oobCode") })
      home.messages.fail(with: nil)
      home.clock.advance(seconds: 6)
      home.services.courier.wake()
      await home.services.courier.settled()
      let message = try #require(home.messages.last(to: "ada@example.com"))
      let code = try #require(parameters(of: message.proof.reveal())["oobCode"])
      let reset = try await home.post(
        "/v1/accounts:resetPassword", ["oobCode": .string(code), "newPassword": "another one"])
      #expect(reset.status == 200, "\(reset.text)")
      #expect(home.messages.messages.count == 1)
    }
  }

  @Test func `S10 no face shows the link of a message, waiting or given up`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      home.messages.fail(with: AuthError(.networkRequestFailed, "No mail today."))
      let before = home.clock.now
      _ = try await home.post(
        "/v1/accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
      func shown() async throws -> String {
        var text = ""
        for path in [
          "outbox/deadLetters", "events", "accounts/\(ada.uid)", "accounts/\(ada.uid)/events",
        ] {
          text += try await home.admin("GET", "\(home.adminRoot)/\(path)").text
        }
        return text
      }
      #expect(try await !shown().contains("oobCode"))
      // Until the code has expired, and the message is given up.
      while home.clock.now < before.adding(seconds: 3600) {
        home.clock.advance(seconds: 600)
        home.services.courier.wake()
        await home.services.courier.settled()
      }
      let text = try await shown()
      #expect(!text.contains("oobCode") && !text.contains("__/auth/action"))
      #expect(text.contains("send-message") && text.contains("code-expired"))
      #expect(text.contains("reset-password"))
    }
  }

  @Test func `known and unknown addresses are refused if mail cannot be sent`() async throws {
    try await withServer(.production, configure: { $0.sender = NoWay() }) { home in
      _ = try await home.person()
      for email in ["ada@example.com", "bob@example.com"] {
        let reply = try await Self.ask("PASSWORD_RESET", email, of: home)
        #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(reply.text)")
      }
    }
  }
}

extension JSONValue {
  fileprivate var objectMembers: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }
}

/// A message sender that delivers nothing before it is opened.
private final class GatedSender: MessageSender {
  private let state = Mutex((gate: Gate(), sent: [OutgoingMessage]()))

  /// The recipients of delivered messages.
  var sent: [String] { state.withLock { $0.sent.map(\.recipient) } }
  var last: String { state.withLock { $0.sent.last?.proof.reveal() ?? "" } }

  func open() { state.withLock(\.gate).open() }
  func close() { state.withLock { $0.gate = Gate() } }

  func send(_ message: OutgoingMessage) async throws {
    await state.withLock(\.gate).wait()
    state.withLock { $0.sent.append(message) }
  }
}

/// A message sender without a way to send.
private struct NoWay: MessageSender {
  private static let missing = AuthError(.operationNotAllowed, "There is no mail here.")

  func send(_ message: OutgoingMessage) async throws { throw Self.missing }
  func check(_ kind: OutgoingMessage.Kind) throws { throw Self.missing }
}

private final class MessageLog: LogHandler {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .warning }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    kept.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
  }
}
