import AuthTesting
import FakeVendors

@testable import AuthCore

/// Three graphs on one store with different clocks, and the sessions that began at each of them.
///
/// It takes random steps, and notes each session that continues after its end, or is over before it.
struct ApartGraphs {
  private struct Held {
    let grant: SessionGrant
    let step: Int
    var isOver = false
  }

  private static let scope = Scope(project: "test")
  /// Each person has a provider of their own, so that one account may have both.
  private static func provider(of subject: String) -> ProviderID {
    ProviderID("\(subject).example")
  }
  private static let admin = Caller(scope: scope, authority: .admin("ada"), reason: "test")

  private let clocks: [FixedClock]
  private let graphs: [AccountGraph]
  private var held: [Held] = []
  private var merges: [(id: String, absorbed: AccountID)] = []
  private var step = 0
  private(set) var faults: [String] = []
  /// The numbers of ended and of renewed sessions.
  private(set) var counts = (ended: 0, renewed: 0)

  /// Makes graphs whose clocks are ahead by these seconds, or behind.
  init(ahead: [Int64]) {
    let store = MemoryStore()
    let clocks = ahead.map {
      FixedClock(Timestamp(milliseconds: 1_700_000_000_000).adding(seconds: $0))
    }
    self.clocks = clocks
    graphs = clocks.map { clock in
      AccountGraph(
        store: store,
        providers: ProviderRegistry(
          ["ada", "bo"].map { FakeProvider(id: Self.provider(of: $0)) }),
        policies: SwiftPolicies([]), clock: { clock.now })
    }
  }

  /// Takes a number of random steps.
  mutating func run(steps: Int, using generator: inout SeededGenerator) async throws {
    for subject in ["ada", "bo"] { try await enter(subject, at: 0) }
    for _ in 0..<steps {
      step += 1
      let seconds = Int64.random(in: 0...2, using: &generator)
      for clock in clocks { clock.advance(seconds: seconds) }
      let place = Int.random(in: graphs.indices, using: &generator)
      let subject = Bool.random(using: &generator) ? "ada" : "bo"
      try await act(Int.random(in: 0..<12, using: &generator), subject, at: place)
      for place in graphs.indices { try await look(at: place) }
    }
  }

  private func account(of subject: String, at place: Int) async throws -> Account? {
    let key = IdentityKey(Self.provider(of: subject), subject: subject)
    return try await graphs[place].store.read {
      try $0.snapshot(SnapshotQuery([.identity(key)], in: Self.scope)).accounts(.identity(key))
        .first
    }
  }

  private mutating func enter(_ subject: String, at place: Int) async throws {
    let credential = try graphs[place].providers.credential(
      Self.provider(of: subject),
      ["subject": subject, "email": "\(subject)@example.com", "emailVerified": "true"])
    let anyone = Caller(scope: Self.scope, authority: .anyone)
    guard let grant = try await graphs[place].signIn(credential, by: anyone).session else { return }
    held.append(Held(grant: grant, step: step))
  }

  /// Notes the end of an account's sessions, or of those of one identity.
  private mutating func end(_ id: AccountID, identity: IdentityKey? = nil) {
    counts.ended += 1
    for index in held.indices where held[index].grant.account == id {
      if identity == nil || held[index].grant.identity == identity { held[index].isOver = true }
    }
  }

  private mutating func act(_ kind: Int, _ subject: String, at place: Int) async throws {
    let (graph, admin) = (graphs[place], Self.admin)
    guard let account = try await account(of: subject, at: place) else { return }
    let id = account.id
    switch kind {
    case 0:
      _ = try await graph.revokeSessions(of: id, by: admin)
      end(id)
    case 1:
      var changes = ProfileChanges()
      changes.validSince = Timestamp(
        milliseconds: clocks[place].now.milliseconds / 1000 * 1000)
      _ = try await graph.update(id, changes, by: admin)
      end(id)
    case 2:
      for isDisabled in [true, false] {
        _ = try await graph.setDisabled(isDisabled, id, by: admin)
      }
      end(id)
    case 3:
      let key = IdentityKey(Self.provider(of: subject), subject: subject)
      _ = try await graph.unlink(
        Self.provider(of: subject), subject: subject, from: id, force: true, by: admin)
      _ = try await graph.assert(key, profile: IdentityProfile(), on: id, by: admin)
      end(id, identity: key)
    case 4:
      let outcomes = try await graph.importRecords(
        [ImportedAccount(account: account, line: 1)], overwriting: true, by: admin)
      if outcomes == [.imported] { end(id) }
    case 5: try await merge(at: place)
    case 6: try await undo(at: place)
    default: try await enter(subject, at: place)
    }
  }

  private mutating func merge(at place: Int) async throws {
    guard let ada = try await account(of: "ada", at: place),
      let bo = try await account(of: "bo", at: place), ada.id != bo.id
    else { return }
    let plan = try await graphs[place].planMerge(keep: ada.id, absorb: bo.id, in: Self.scope)
    let merge = try await graphs[place].commit(plan, by: Self.admin)
    merges.append((merge.id, bo.id))
    // An undo restores the account with its sessions; in between they are not checked.
  }

  private mutating func undo(at place: Int) async throws {
    guard let merge = merges.popLast() else { return }
    guard let survivor = try await account(of: "ada", at: place)?.id else { return }
    let before = try await graphs[place].account(survivor, in: Self.scope)?.sessionMark
    do {
      _ = try await graphs[place].undoMerge(merge.id, force: true, by: Self.admin)
    } catch let error as AuthError where error.code == .undoRefused {
      return
    }
    let after = try await graphs[place].account(survivor, in: Self.scope)?.sessionMark
    if before != after { end(survivor) }
  }

  /// Checks each session against the notes.
  private mutating func look(at place: Int) async throws {
    for session in held {
      let grant = session.grant
      let isThere = try await graphs[place].account(grant.account, in: Self.scope)
      guard let account = isThere, account.id == grant.account else { continue }
      var caller = Caller(
        scope: Self.scope,
        authority: .session(
          grant.account, signedInAt: grant.signedInAt, secondFactor: false,
          identity: grant.identity))
      caller.mark = .of(grant.mark)
      let goesOn: Bool
      do {
        _ = try await graphs[place].renewSession(
          provider: grant.provider, identity: grant.identity, showing: nil, by: caller)
        goesOn = true
        counts.renewed += 1
      } catch let error as AuthError where error.code == .userTokenExpired {
        goesOn = false
      }
      let hasIdentity = grant.identity.map { account.identity($0) != nil } ?? true
      if goesOn && session.isOver {
        faults.append("step \(step): a session of step \(session.step) goes on, ended before")
      }
      if !goesOn && !session.isOver && hasIdentity {
        faults.append("step \(step): a session of step \(session.step) is over, never ended")
      }
    }
  }
}
