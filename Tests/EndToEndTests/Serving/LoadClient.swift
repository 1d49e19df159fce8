import AuthCore
import Foundation
import Synchronization
import TestSupport

/// Clients that open accounts, link and unlink without a pause, and record every answer.
final class Load: Sendable {
  /// A client's knowledge of its own account.
  struct Ledger: Sendable, Equatable {
    var uid: String
    /// The linked subject, as far as it was acknowledged.
    var linked: String?
    /// Set if an answer never came or was uncertain, so either state is possible.
    var isUncertain = false
  }

  struct Result: Sendable {
    var ledgers: [Ledger] = []
    /// Failed answers, other than refusals because of another account.
    var failures: [String] = []
    /// The number of requests that were sent completely and had no answer.
    var unanswered = 0
  }

  private static let service = "/identitytoolkit.googleapis.com/v1/accounts:"
  private let result = Mutex(Result())
  private let isOver = Atomic(false)
  private let group = DispatchGroup()

  /// Starts the clients.
  ///
  /// Subjects begin with the name, so that loads contend only for shared subjects.
  init(_ address: String, name: String, clients: Int) {
    for client in 0..<clients {
      group.enter()
      Thread.detachNewThread { [self] in
        run(address, "\(name)-\(client)", name)
        group.leave()
      }
    }
  }

  /// The number of accounts acknowledged so far.
  var count: Int { result.withLock { $0.ledgers.count } }

  /// Lets every client finish its request, and returns the results.
  func end() -> Result {
    isOver.store(true, ordering: .relaxed)
    group.wait()
    return result.withLock { $0 }
  }

  private func run(_ address: String, _ client: String, _ shared: String) {
    var number = 0
    while !isOver.load(ordering: .relaxed) {
      // A server that stops closes its connections between requests, and then refuses new ones.
      guard let connection = try? Connection(to: address) else { return }
      while !isOver.load(ordering: .relaxed) {
        number += 1
        guard go(connection, "\(client)-\(number)", contended: "\(shared)-shared-\(number)") else {
          break
        }
      }
    }
  }

  /// Lives one account; returns false once the connection is closed.
  private func go(_ connection: Connection, _ subject: String, contended: String) -> Bool {
    guard let made = ask(connection, "signUp", ["returnSecureToken": true]) else { return false }
    guard let uid = made["localId"]?.stringValue, let token = made["idToken"] else { return true }
    var ledger = Ledger(uid: uid)
    defer { result.withLock { $0.ledgers.append(ledger) } }
    guard let linked = link(connection, subject, token) else {
      (ledger.linked, ledger.isUncertain) = (subject, true)
      return false
    }
    guard linked["idToken"] != nil else {
      ledger.isUncertain = linked.isUnavailable
      return true
    }
    ledger.linked = subject
    // The first client gets it; the others are refused.
    guard link(connection, contended, token) != nil else { return false }
    guard subject.utf8.last.map({ $0 % 2 == 0 }) == true else { return true }
    let unlink: JSONValue = ["idToken": token, "deleteProvider": ["google.com"]]
    guard let unlinked = ask(connection, "update", unlink) else {
      ledger.isUncertain = true
      return false
    }
    if unlinked["localId"] != nil { ledger.linked = nil }
    ledger.isUncertain = unlinked.isUnavailable
    return true
  }

  private func link(_ connection: Connection, _ subject: String, _ token: JSONValue) -> JSONValue? {
    let provider = subject.contains("shared") ? "github.com" : "google.com"
    let claims = #"{"sub":"\#(subject)"}"#
    return ask(
      connection, "signInWithIdp",
      [
        "requestUri": "http://localhost", "idToken": token,
        "postBody": .string("id_token=\(claims)&providerId=\(provider)"),
      ])
  }

  /// Sends a request and returns the answer; nil if none came.
  private func ask(_ connection: Connection, _ operation: String, _ body: JSONValue) -> JSONValue? {
    guard let reply = try? connection.post("\(Self.service)\(operation)?key=k", body) else {
      result.withLock { $0.unanswered += 1 }
      return nil
    }
    let message = reply.json["error"]?["message"]?.stringValue ?? ""
    if reply.status != 200, message != "FEDERATED_USER_ID_ALREADY_LINKED" {
      result.withLock { $0.failures.append("\(operation): \(reply.status) \(message)") }
    }
    return reply.json
  }
}

extension JSONValue {
  /// Tells whether the server answered that it is unavailable; part of the request may be done.
  fileprivate var isUnavailable: Bool { self["error"]?["code"] == .integer(503) }
}

/// All accounts and identities of a server, queried as an admin.
struct Accounts {
  /// The subjects of each account, by provider.
  var subjects: [String: [String: String]] = [:]
  /// The owners of each identity.
  var owners: [String: [String]] = [:]

  init(_ server: RunningServer) throws {
    var token: String?
    repeat {
      let page = token.map { "&nextPageToken=\($0)" } ?? ""
      let answer = try server.get(
        "/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:batchGet"
          + "?maxResults=1000\(page)", ["-H", "Authorization: Bearer owner"])
      guard answer.status == 200 else { throw Failed(description: answer.body) }
      let json = try JSONValue(text: answer.body)
      guard case .array(let users)? = json["users"] else { return }
      for user in users {
        let uid = user["localId"]?.stringValue ?? ""
        subjects[uid] = [:]
        guard case .array(let entries)? = user["providerUserInfo"] else { continue }
        for entry in entries {
          let provider = entry["providerId"]?.stringValue ?? ""
          let subject = entry["rawId"]?.stringValue ?? ""
          subjects[uid]?[provider] = subject
          owners["\(provider)/\(subject)", default: []].append(uid)
        }
      }
      token = json["nextPageToken"]?.stringValue
    } while token != nil
  }

  /// Returns the differences from the acknowledged state.
  func differences(from ledgers: [Load.Ledger]) -> [String] {
    let lost = ledgers.compactMap { ledger -> String? in
      guard let known = subjects[ledger.uid] else { return "\(ledger.uid) is gone" }
      guard !ledger.isUncertain, known["google.com"] != ledger.linked else { return nil }
      return "\(ledger.uid) has \(known) instead of \(ledger.linked ?? "nothing")"
    }
    return lost + owners.filter { $0.value.count > 1 }.map { "\($0.key) is owned by \($0.value)" }
  }
}

/// Queries a database file directly.
func sqlite(_ path: String, _ query: String) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/sqlite3")
  process.arguments = [path, query]
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
}
