import AuthCore
import AuthTesting
import Foundation

/// A client of the servers: it calls one of them at a time, and moves to another if that one does not answer.
struct ClusterClient {
  private static let service = "/identitytoolkit.googleapis.com/v1/accounts:"
  private static let project = "demo-project"
  private let cluster: Cluster
  private var random: SeededGenerator
  private var connection: (server: Int, Connection)?
  /// The last request, if the server answered it with a server error.
  private(set) var lastFault: ServerFault?

  /// The result of a request.
  enum Answer {
    case done(JSONValue)
    case refused(String)
    /// The request may have been carried out or not.
    case unknown(String)
    /// The request was never sent.
    case unreachable
  }

  init(_ cluster: Cluster, seed: UInt64) {
    self.cluster = cluster
    random = SeededGenerator(seed: seed)
  }

  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// Moves to another server, or to a new connection to the same one.
  mutating func move() { connection = nil }

  mutating func ask(_ operation: String, _ body: JSONValue) -> Answer {
    lastFault = nil
    guard let connection = connected() else { return .unreachable }
    let sent = ContinuousClock.now
    guard let reply = try? connection.post("\(Self.service)\(operation)?key=k", body) else {
      move()
      return .unknown("no answer")
    }
    let message = reply.json["error"]?["message"]?.stringValue ?? ""
    switch reply.status {
    case 200: return .done(reply.json)
    case 400..<500: return .refused("\(operation): \(reply.status) \(message)")
    default:
      lastFault = ServerFault(
        status: reply.status, operation: operation, message: message, sent: sent, answered: .now)
      return .unknown("\(operation): \(reply.status) \(message)")
    }
  }

  mutating func signUp() -> Answer { ask("signUp", ["returnSecureToken": true]) }

  mutating func signUp(tenant: String) -> Answer {
    ask("signUp", ["returnSecureToken": true, "tenantId": .string(tenant)])
  }

  /// Deletes a tenant as an admin; it need not exist.
  mutating func deleteTenant(_ tenant: String) {
    guard let connection = connected() else { return }
    do {
      try connection.send(
        "DELETE /identitytoolkit.googleapis.com/v2/projects/\(Self.project)/tenants/\(tenant)"
          + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer owner\r\nContent-Length: 0\r\n\r\n"
      )
      _ = try connection.receive()
    } catch {
      move()
    }
  }

  mutating func link(_ provider: String, _ subject: String, _ token: JSONValue?) -> Answer {
    var body: [String: JSONValue] = [
      "requestUri": "http://localhost",
      "postBody": .string("id_token={\"sub\":\"\(subject)\"}&providerId=\(provider)"),
    ]
    body["idToken"] = token
    return ask("signInWithIdp", .object(body))
  }

  mutating func unlink(_ provider: String, _ token: JSONValue) -> Answer {
    ask("update", ["idToken": token, "deleteProvider": [.string(provider)]])
  }

  private mutating func connected() -> Connection? {
    if let connection { return connection.1 }
    let first = pick(Cluster.size)
    for index in (0..<Cluster.size).map({ (first + $0) % Cluster.size }) {
      guard let address = cluster.address(index),
        let made = try? Connection(to: address, patience: 20)
      else { continue }
      connection = (index, made)
      return made
    }
    return nil
  }
}
