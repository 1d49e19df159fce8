import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

/// The mark that a vendor's event leaves on an identity, through every operation that moves the identity.
@Suite struct VendorMarkTests {
  let home = TestHome(more: [Reporting()])

  /// A provider whose vendor reports events as lines of words.
  struct Reporting: EventReceiving {
    static let id = ProviderID("reporting.example")
    private let fake = FakeProvider(id: Self.id)

    var id: ProviderID { Self.id }
    var manifest: ProviderManifest { fake.manifest }

    func verify(
      _ credential: Credential, _ context: VerificationContext
    ) async throws -> VerifiedIdentity {
      try await fake.verify(credential, context)
    }

    func receivesEvents(_ settings: ProviderSettings) -> Bool { true }

    func events(
      _ request: ProviderEventRequest, _ context: VerificationContext
    ) async throws -> ProviderEventReport {
      let words = request.text.split(separator: " ").map(String.init)
      let kind = try ProviderEvent.Kind(rawValue: words[0]).unwrapped("kind \(words[0])")
      return ProviderEventReport([
        ProviderEvent(kind, subject: words[1], at: context.now, id: words[2])
      ])
    }
  }

  private func key(_ subject: String) -> IdentityKey { IdentityKey(Reporting.id, subject: subject) }

  /// Makes an account with an identity of the vendor and a password.
  private func person(_ subject: String) async throws -> AccountID {
    let credential = try home.credential(subject, provider: Reporting.id)
    let id = try await home.signIn(credential).account.id
    try await home.update(id) {
      $0.email = .set(try EmailAddress("\(subject)@example.com"))
      $0.password = Secret("opensesame")
    }
    return id
  }

  @discardableResult
  private func report(
    _ kind: ProviderEvent.Kind, _ subject: String, _ id: String
  ) async throws -> ProviderEventResponse {
    try await home.graph.receiveEvents(
      of: Reporting.id, ProviderEventRequest(body: Array("\(kind.rawValue) \(subject) \(id)".utf8)),
      in: home.scope)
  }

  private func mark(_ subject: String, on id: AccountID) async throws -> VendorMark? {
    let account = try await home.account(id)
    return account.identity(key(subject)).flatMap { account.mark(of: $0) }
  }

  @Test func `a merge carries a mark to the survivor, and its undo back`() async throws {
    let (ada, bo) = (try await person("ada"), try await person("bo"))
    try await report(.accountDisabled, "bo", "e1")
    let plan = try await home.graph.planMerge(keep: ada, absorb: bo, in: home.scope)

    let merge = try await home.graph.commit(plan, by: home.admin)

    #expect(try await mark("bo", on: ada)?.suspendedBy == .accountDisabled)
    #expect(try await mark("ada", on: ada) == nil)
    _ = try await home.graph.undoMerge(merge.id, by: home.admin)
    #expect(try await mark("bo", on: bo)?.suspendedBy == .accountDisabled)
    #expect(try await home.account(ada).details.vendorMarks.isEmpty)
  }

  @Test func `a merge that was planned before the event does not lose the mark`() async throws {
    let (ada, bo) = (try await person("ada"), try await person("bo"))
    let plan = try await home.graph.planMerge(keep: ada, absorb: bo, in: home.scope)
    try await report(.accountDisabled, "ada", "e1")

    _ = try await home.graph.commit(plan, by: home.admin)

    #expect(try await mark("ada", on: ada)?.suspendedBy == .accountDisabled)
  }

  @Test func `an undo restores the accounts with the marks of today`() async throws {
    let (ada, bo) = (try await person("ada"), try await person("bo"))
    try await report(.accountDisabled, "ada", "e1")
    let plan = try await home.graph.planMerge(keep: ada, absorb: bo, in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin)
    home.clock.advance(seconds: 5)
    try await report(.accountDisabled, "bo", "e2")
    try await report(.accountEnabled, "ada", "e3")

    _ = try await home.graph.undoMerge(merge.id, by: home.admin)

    #expect(try await mark("bo", on: bo)?.suspendedBy == .accountDisabled)
    #expect(try await mark("ada", on: ada)?.suspendedBy == nil)
  }

  @Test func `a split and a move carry a mark, and their undo brings it back`() async throws {
    let ada = try await person("ada")
    let other = try home.credential("bo", provider: TestHome.other)
    let bo = try await home.signIn(other).account.id
    try await report(.accountDisabled, "ada", "e1")
    let move = try await home.graph.planMove(key("ada"), from: ada, to: bo, in: home.scope)
    let moved = try await home.graph.commit(move, by: home.admin)
    #expect(try await mark("ada", on: bo)?.suspendedBy == .accountDisabled)

    _ = try await home.graph.undo(moved.id, by: home.admin)
    #expect(try await mark("ada", on: ada)?.suspendedBy == .accountDisabled)
    #expect(try await home.account(bo).details.vendorMarks.isEmpty)

    let split = try await home.graph.planSplit(
      ada, by: SplitRules(identities: [key("ada")]), in: home.scope)
    // The new account has no other way in.
    _ = try await home.graph.commit(split, force: true, by: home.admin)
    #expect(try await mark("ada", on: split.targetAfter.id)?.suspendedBy == .accountDisabled)
  }

  @Test func `an identity that is unlinked and linked again has no mark`() async throws {
    let ada = try await person("ada")
    try await report(.accountDisabled, "ada", "e1")

    _ = try await home.graph.unlink(Reporting.id, from: ada, by: home.admin)
    #expect(try await home.account(ada).details.vendorMarks.isEmpty)
    _ = try await home.graph.assert(
      key("ada"), profile: IdentityProfile(), on: ada, by: home.admin)

    #expect(try await mark("ada", on: ada) == nil)
  }

  @Test func `a restored account has the mark that it was deleted with`() async throws {
    let ada = try await person("ada")
    try await report(.accountDisabled, "ada", "e1")

    _ = try await home.graph.delete(ada, restorable: true, by: home.admin)
    _ = try await home.graph.restore(ada, by: home.admin)

    #expect(try await mark("ada", on: ada)?.suspendedBy == .accountDisabled)
  }

  @Test func `a sign-in that the vendor was asked about lifts the suspension`() async throws {
    let ada = try await person("ada")
    try await report(.accountDisabled, "ada", "e1")
    home.clock.advance(seconds: 5)

    _ = try await home.signIn(try home.credential("ada", provider: Reporting.id))

    let mark = try #require(try await mark("ada", on: ada))
    #expect(mark.suspendedBy == nil && mark.sessionsEndedAt != nil)
  }

  @Test func `a suspended identity is no way in that remains`() async throws {
    let ada = try await person("ada")
    try await report(.accountDisabled, "ada", "e1")
    let session = home.session(ada)

    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(.password, from: ada, by: session)
    }
  }

  @Test func `an edit of the account leaves the mark`() async throws {
    let ada = try await person("ada")
    try await report(.accountDisabled, "ada", "e1")

    try await home.update(ada) { $0.displayName = .set("Ada") }

    #expect(try await mark("ada", on: ada)?.suspendedBy == .accountDisabled)
  }

  @Test func `an event without subject or ID is refused, and none counts`() async throws {
    let ada = try await person("ada")
    let long = String(repeating: "x", count: 300)

    await expectError(.invalidArgument) { try await report(.sessionEnded, "ada", long) }

    #expect(try await mark("ada", on: ada) == nil)
  }

  @Test func `an event is explained by its trace`() async throws {
    let ada = try await person("ada")
    try await report(.consentRevoked, "ada", "e1")

    let event = try #require(
      try await home.graph.events(limit: 10, in: home.scope).first {
        $0.action == .providerEvent
      })
    #expect(event.accountID == ada && event.details["effect"] == "unlinked")
    #expect(
      event.trace.steps.map(\.rule) == [
        "vendor's event", "owner of the identity", "sessions", "ways in that remain", "effect",
      ])
  }
}
