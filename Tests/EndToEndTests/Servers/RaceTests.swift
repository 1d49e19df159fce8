import AuthCore
import Foundation
import Synchronization
import Testing
import TestSupport

/// Sixty-four clients that all want one identity for their own accounts, on three servers.
///
/// `AUTHGRAPH_RACE_ROUNDS` is the number of rounds.
@Suite(.serialized) struct `A race for one identity` {
  private static let clients = 64
  private static let rounds = TestBudget.count("AUTHGRAPH_RACE_ROUNDS", usual: 10, soak: 100)

  @Test func `is won by exactly one, and the others are refused`() async throws {
    try await blocking {
      let cluster = try Cluster(in: try TemporaryFolder())
      let racers = try (0..<Self.clients).map { try Racer(cluster, $0) }
      let clock = ContinuousClock()
      let took = try clock.measure {
        for round in 0..<Self.rounds { try race(racers, round) }
      }
      print("races: \(Self.rounds) rounds of \(Self.clients) clients in \(took)")
      #expect(try ClusterInvariants.problems(of: cluster.database) == [])
    }
  }

  private func race(_ racers: [Racer], _ round: Int) throws {
    let subject = "race-\(round)"
    let group = DispatchGroup()
    let gate = Gate()
    for racer in racers {
      group.enter()
      Thread.detachNewThread {
        gate.wait()
        racer.link(subject)
        group.leave()
      }
    }
    gate.open()
    group.wait()

    let winners = racers.filter { $0.answer == "200" }
    let others = racers.filter { $0.answer != "200" }.map(\.answer)
    #expect(winners.count == 1, "\(subject)")
    #expect(Set(others) == ["400 FEDERATED_USER_ID_ALREADY_LINKED"], "\(subject)")
    guard let winner = winners.first else { throw Failed(description: "nobody won \(subject)") }
    let owner = try racers[round % racers.count].owner(of: subject)
    #expect(owner == winner.uid, "\(subject)")
    try winner.unlink()
  }
}

/// A client with its own account and a connection to one of the servers.
private final class Racer: Sendable {
  private static let service = "/identitytoolkit.googleapis.com/v1/accounts:"
  let uid: String
  private let token: JSONValue
  private let connection: Connection
  private let last = Mutex("")

  init(_ cluster: Cluster, _ number: Int) throws {
    connection = try Connection(to: try cluster.server(number % Cluster.size).address)
    let reply = try connection.post("\(Self.service)signUp?key=k", ["returnSecureToken": true])
    guard let uid = reply.json["localId"]?.stringValue, let token = reply.json["idToken"] else {
      throw Failed(description: "no account: \(reply)")
    }
    (self.uid, self.token) = (uid, token)
  }

  /// The status of the last link, and its error.
  var answer: String { last.withLock(\.self) }

  func link(_ subject: String) {
    let reply = try? connection.post(
      "\(Self.service)signInWithIdp?key=k",
      [
        "requestUri": "http://localhost", "idToken": token, "postBody": body(subject),
      ])
    let error = reply?.json["error"]?["message"]?.stringValue.map { " \($0)" } ?? ""
    last.withLock { $0 = reply.map { "\($0.status)\(error)" } ?? "no answer" }
  }

  /// Returns the account that a sign-in leads to.
  func owner(of subject: String) throws -> String? {
    try connection.post(
      "\(Self.service)signInWithIdp?key=k",
      ["requestUri": "http://localhost", "postBody": body(subject)]
    ).json["localId"]?.stringValue
  }

  func unlink() throws {
    let reply = try connection.post(
      "\(Self.service)update?key=k", ["idToken": token, "deleteProvider": ["github.com"]])
    guard reply.status == 200 else { throw Failed(description: "\(reply)") }
  }

  private func body(_ subject: String) -> JSONValue {
    .string("id_token={\"sub\":\"\(subject)\"}&providerId=github.com")
  }
}

/// A gate that holds threads until it is opened for all of them.
private final class Gate: Sendable {
  private let condition = NSCondition()
  private let isOpen = Mutex(false)

  func wait() {
    condition.withLock {
      while !isOpen.withLock(\.self) { condition.wait() }
    }
  }

  func open() {
    condition.withLock {
      isOpen.withLock { $0 = true }
      condition.broadcast()
    }
  }
}
