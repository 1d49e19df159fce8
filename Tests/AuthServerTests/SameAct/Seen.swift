import AuthCore
import AuthTesting
import Synchronization
import Testing

@testable import IdentityToolkitService

/// The outcome of an act on one interface.
struct Seen: Sendable {
  let face: FaceName
  /// The code of the refusal, from the audit log or otherwise from the interface; nil if the act was done.
  let refusal: String?
  /// The rules of the act's event with their results; nil if there is no event.
  let story: [String]?
  /// True if the event offers an admin a merge.
  let offers: Bool
  /// The accounts afterwards, sorted by uid.
  let accounts: [String]
  /// The interface's own text of a refusal.
  let said: String?
}

extension Seen: CustomStringConvertible {
  var description: String {
    var lines = ["\(face.rawValue): \(refusal ?? "done")\(offers ? ", and offers a merge" : "")"]
    if let said { lines.append("  said: \(said.prefix(300))") }
    lines.append("  story: \(story.map { $0.joined(separator: " | ") } ?? "no event")")
    lines += accounts.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension Situation {
  /// Performs the act on each interface, each time from the start.
  func watched() async throws -> [Seen] {
    var all: [Seen] = []
    for face in faces { all.append(try await watched(on: face)) }
    return all
  }

  private func watched(on name: FaceName) async throws -> Seen {
    let note = Note()
    try await withServer(
      .production, store: MemoryStore(),
      configure: { setup in
        setup.providers = { registry, _ in registry.adding([SameProvider()]) }
      }
    ) { server in
      let stage = Stage(server: server, me: me, other: other)
      try await stage.set(self)
      let last = try await stage.newestEvent()?.sequence ?? 0
      var refused: Refused?
      do { try await name.face.perform(act, on: stage) } catch let error as Refused {
        refused = error
      }
      note.keep(try await stage.seen(name, refused, since: last))
    }
    return try #require(note.seen)
  }
}

/// A box that carries the observations out of the server's closure.
private final class Note: Sendable {
  private let kept = Mutex<Seen?>(nil)

  var seen: Seen? { kept.withLock(\.self) }

  func keep(_ seen: Seen) { kept.withLock { $0 = seen } }
}

/// A cache of observations, so that each act is performed once for all tests.
actor Sightings {
  static let shared = Sightings()
  private var known: [String: [Seen]] = [:]

  func of(_ situation: Situation) async throws -> [Seen] {
    if let seen = known[situation.name] { return seen }
    let seen = try await situation.watched()
    known[situation.name] = seen
    return seen
  }
}

extension Stage {
  /// The actions beside an act: sign-ins, and sent mail.
  private static let asides: Set<Action> = [
    .signIn, .renewSession, .sendMessage, .changeSettings,
  ]

  /// Returns the newest event of an act.
  fileprivate func newestEvent() async throws -> AuditEvent? {
    let events = try await server.graph.events(limit: 50, in: server.scope)
    return events.filter { !Self.asides.contains($0.action) }.max { $0.sequence < $1.sequence }
  }

  fileprivate func seen(
    _ face: FaceName, _ refused: Refused?, since last: Int64
  ) async throws -> Seen {
    let event = try await newestEvent().flatMap { $0.sequence > last ? $0 : nil }
    let accounts = try await server.graph.accounts(limit: 100, in: server.scope)
    return Seen(
      face: face, refusal: event?.errorCode ?? refused.map { Self.code($0, event) },
      story: event?.trace.steps.map(\.told), offers: event?.details["offer"] != nil,
      accounts: accounts.map(\.told), said: refused?.said)
  }

  /// Returns the code of a refusal that the audit log does not contain.
  private static func code(_ refused: Refused, _ event: AuditEvent?) -> String {
    guard event == nil else { return "done, and refused afterwards: \(refused.said)" }
    return refused.code ?? "no code: \(refused.said)"
  }
}

extension Trace.Step {
  /// The rule and its result, with the same text for the authority of an admin and of a session.
  fileprivate var told: String {
    let isAllowed = ["an admin may", "its own session"].contains(result)
    return "\(rule): \(rule == "authority" && isAllowed ? "yes" : result)"
  }
}

extension Account {
  fileprivate var told: String {
    var parts = ["\(id):"]
    if let email { parts.append("\(email.text) (\(emailVerified ? "verified" : "unverified"))") }
    if let phoneNumber { parts.append(phoneNumber.text) }
    parts.append("[\(identities.map(\.key.description).joined(separator: ", "))]")
    if !secondFactors.isEmpty { parts.append("\(secondFactors.count) factors") }
    if isAnonymous { parts.append("anonymous") }
    return parts.joined(separator: " ")
  }
}
