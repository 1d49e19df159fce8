import AuthCore
import AuthTesting
import Foundation
import Synchronization

/// Clients that open accounts, link, unlink, merge and look up on all servers without a pause, and record every answer.
final class ClusterLoad: Sendable {
  struct Result: Sendable {
    var accounts: [KnownAccount] = []
    var owned: [Ownership] = []
    /// Answers that contradict earlier acknowledgements, and refusals without a reason.
    var failures: [String] = []
    var acknowledged = 0
    var lookups = 0
    /// The number of requests that may have been carried out or not, by answer.
    var unknown: [String: Int] = [:]
    /// The requests that were answered with a server error, with their times.
    var faults: [ServerFault] = []
    /// The number of new accounts among them, whose uid is unknown.
    var unknownAccounts = 0
  }

  let result = Mutex(Result())
  private let cluster: Cluster
  private let isOver = Atomic(false)
  private let group = DispatchGroup()

  init(_ cluster: Cluster, clients: Int, seed: UInt64) {
    self.cluster = cluster
    for client in 0..<clients {
      group.enter()
      Thread.detachNewThread { [self] in
        var life = ClientLife(cluster, self, name: "c\(client)", seed: seed &+ UInt64(client))
        while !isOver.load(ordering: .relaxed) { life.live() }
        group.leave()
      }
    }
  }

  var acknowledged: Int { result.withLock(\.acknowledged) }

  /// Lets every client finish its request, and returns the results.
  func end() -> Result {
    isOver.store(true, ordering: .relaxed)
    group.wait()
    return result.withLock(\.self)
  }
}

/// The accounts that one client opens, one after another.
struct ClientLife {
  private let load: ClusterLoad
  private let name: String
  private var client: ClusterClient
  private var number = 0

  /// An account and the token of its session.
  private struct Session {
    var known: KnownAccount
    /// The token of the latest sign-in.
    var token: JSONValue
  }

  /// Ends a life early; the reason is already recorded.
  private struct Interrupted: Error {}

  private static let sharedSubjects = 12

  init(_ cluster: Cluster, _ load: ClusterLoad, name: String, seed: UInt64) {
    self.load = load
    self.name = name
    client = ClusterClient(cluster, seed: seed)
  }

  mutating func live() {
    number += 1
    if client.pick(4) == 0 { client.move() }
    switch client.pick(6) {
    case 0: comeAndGo()
    case 1: mergeTwo()
    default: linkAndUnlink()
    }
  }

  /// Signs up in tenants that are deleted meanwhile, also by other servers.
  private mutating func comeAndGo() {
    let tenant = "tenant-\(client.pick(3))"
    if client.pick(8) == 0 { return client.deleteTenant(tenant) }
    if case .unknown(let what) = client.signUp(tenant: tenant) { note(what) }
  }

  private mutating func linkAndUnlink() {
    guard var session = try? open() else { return }
    defer { load.result.withLock { $0.accounts.append(session.known) } }
    do {
      try link("google.com", "\(name)-\(number)", &session)
      try look(at: session)
      let shared = "shared-\(client.pick(Self.sharedSubjects))"
      guard try link("github.com", shared, &session) else { return }
      let start = ContinuousClock.now
      var owned = Ownership(subject: shared, uid: session.known.uid, start: start)
      defer { load.result.withLock { $0.owned.append(owned) } }
      try look(at: session)
      // Most identities are released, so that other clients can link them.
      guard client.pick(20) > 0 else { return }
      owned.end = .now
      try unlink("github.com", &session)
      try look(at: session)
      if client.pick(2) == 0 { try unlink("google.com", &session) }
    } catch {}
  }

  private mutating func mergeTwo() {
    guard var keep = try? open(), var absorb = try? open() else { return }
    defer { load.result.withLock { $0.accounts += [keep.known, absorb.known] } }
    do {
      try link("google.com", "\(name)-\(number)-a", &keep)
      try link("github.com", "\(name)-\(number)-b", &absorb)
      switch client.ask("merge", ["idToken": keep.token, "absorbIdToken": absorb.token]) {
      case .done:
        absorb.known.survivor = keep.known.uid
        keep.known.subjects.merge(absorb.known.subjects) { own, _ in own }
        acknowledge()
      case .refused(let what): fail("\(keep.known.uid) \(what)")
      case .unknown(let what):
        keep.known.isMergeUnknown = true
        absorb.known.isMergeUnknown = true
        note(what)
        throw Interrupted()
      case .unreachable: wait()
      }
      try look(at: keep)
    } catch {}
  }

  private mutating func open() throws -> Session {
    switch client.signUp() {
    case .done(let json):
      acknowledge()
      guard let uid = json["localId"]?.stringValue, let token = json["idToken"] else {
        fail("a sign-up without a uid")
        throw Interrupted()
      }
      return Session(known: KnownAccount(uid: uid), token: token)
    case .refused(let what): fail(what)
    case .unknown(let what):
      load.result.withLock { $0.unknownAccounts += 1 }
      note(what)
    case .unreachable: wait()
    }
    throw Interrupted()
  }

  /// Returns true if the identity is linked now, or was refused because another account has it.
  @discardableResult
  private mutating func link(
    _ provider: String, _ subject: String, _ session: inout Session
  ) throws -> Bool {
    switch client.link(provider, subject, session.token) {
    case .done(let json):
      session.known.subjects[provider] = subject
      session.token = json["idToken"] ?? session.token
      acknowledge()
      return true
    case .refused(let what):
      let isShared = subject.hasPrefix("shared")
      if !isShared || !what.contains("400 FEDERATED_USER_ID_ALREADY_LINKED") {
        fail("\(session.known.uid) \(what)")
      }
      return false
    case .unknown(let what):
      session.known.unknown[provider] = .some(subject)
      note(what)
    case .unreachable: wait()
    }
    throw Interrupted()
  }

  private mutating func unlink(_ provider: String, _ session: inout Session) throws {
    switch client.unlink(provider, session.token) {
    case .done:
      session.known.subjects[provider] = nil
      return acknowledge()
    case .refused(let what): fail("\(session.known.uid) \(what)")
    case .unknown(let what):
      session.known.unknown[provider] = .some(nil)
      note(what)
    case .unreachable: wait()
    }
    throw Interrupted()
  }

  /// Checks that another server has the acknowledged state.
  private mutating func look(at session: Session) throws {
    client.move()
    guard case .done(let json) = client.ask("lookup", ["idToken": session.token]) else {
      throw Interrupted()
    }
    var subjects: [String: String] = [:]
    if case .array(let users)? = json["users"],
      case .array(let entries)? = users.first?["providerUserInfo"]
    {
      for entry in entries {
        subjects[entry["providerId"]?.stringValue ?? ""] = entry["rawId"]?.stringValue
      }
    }
    load.result.withLock { $0.lookups += 1 }
    if subjects != session.known.subjects {
      fail("\(session.known.uid) shows \(subjects) after \(session.known.subjects)")
    }
  }

  private func acknowledge() { load.result.withLock { $0.acknowledged += 1 } }

  private func note(_ what: String) {
    load.result.withLock { result in
      result.unknown[what, default: 0] += 1
      if let fault = client.lastFault { result.faults.append(fault) }
    }
  }

  private func fail(_ what: String) { load.result.withLock { $0.failures.append(what) } }

  /// Waits, because no server answers; the next one may.
  private func wait() { usleep(20_000) }
}
