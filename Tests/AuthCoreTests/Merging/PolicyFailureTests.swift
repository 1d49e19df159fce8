import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

/// The reported failures of scripts.
private final class Reports: Sendable {
  private let kept = Mutex<[AppScriptFailure]>([])
  var all: [AppScriptFailure] { kept.withLock(\.self) }
  func take(_ failure: AppScriptFailure) { kept.withLock { $0.append(failure) } }
}

@Suite struct `Failures of policies and hooks` {
  private static let failures: [(ClosurePolicy, String)] = [
    (
      ClosurePolicy(name: "broken") { _ in
        throw AuthError(.invalidPolicy, "house.lua:4: attempt to index a nil value.")
      }, "house.lua:4: attempt to index a nil value."
    ),
    (
      ClosurePolicy(name: "neither") {
        .merge(into: AccountID("zzz"), from: $0.current.id, MergeRules())
      }, "named an account that is not part of the conflict"
    ),
    (
      ClosurePolicy(name: "photo") {
        .merge(
          into: $0.current.id, from: $0.existing.id,
          MergeRules(fields: [.photoURL: .value("javascript:alert(1)")]))
      }, "A photo URL is no script"
    ),
  ]

  @Test(arguments: [0, 1, 2])
  func `PB6: a policy that failed on a link is a step of why, and is reported once`(
    index: Int
  ) async throws {
    let (policy, problem) = Self.failures[index]
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let reports = Reports()
    let graph = home.graph.reporting(reports.take)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    let before = try await home.everything()
    let error = await expectError(.credentialAlreadyInUse) {
      try await graph.link(
        home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id)
      )
    }
    #expect(error?.description.contains(problem) == false)
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    let step = try #require(event.trace.steps.last)
    #expect(step.rule == "merge policy" && step.result.hasPrefix("failed: "), "\(step)")
    #expect(step.result.contains(problem))
    #expect(event.details["policy"]?.stringValue?.contains(problem) == true)
    #expect(reports.all.map(\.kind) == [.mergePolicy])
    #expect(reports.all.first?.eventID == event.id && reports.all.first?.name == policy.name)
    #expect(reports.all.first?.message.contains(problem) == true)
    #expect(try await home.everything() == before)
  }

  @Test func `a refusal is no failure, and has its place in the script`() async throws {
    let policy = ClosurePolicy { _ in .refuse(MergeRefusal("not today", place: "house.lua:7")) }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let reports = Reports()
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    let error = await expectError(.credentialAlreadyInUse) {
      try await home.graph.reporting(reports.take).link(
        home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id)
      )
    }
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    let step = try #require(event.trace.steps.last)
    #expect(step.result == "refused: not today")
    #expect(step.inputs.map(\.value) == ["closure", "1", "house.lua:7"])
    #expect(reports.all.isEmpty)
  }

  @Test func `PB11: a hook's veto of a merge keeps the policy's steps`() async throws {
    let policy = ClosurePolicy {
      .merge(into: $0.current.id, from: $0.existing.id, MergeRules())
    }
    let hooks = ScriptedHooks()
    let home = TestHome(policies: [policy], hooks: hooks)
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other, name: "Ada"))
    hooks.answer(.beforeSignIn) { _, _ in
      throw AuthError(.blockingFunctionError, "Not from here.", step: .policy)
    }
    let reports = Reports()
    let error = await expectError(.blockingFunctionError) {
      try await home.graph.reporting(reports.take).linkForSession(
        home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id)
      )
    }
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    let rules = event.trace.steps.map(\.rule)
    #expect(rules.contains("merge policy") && rules.contains("field displayName"), "\(rules)")
    #expect(rules.last == "the app's beforeSignIn")
    #expect(event.trace.steps.last?.result.contains("refused: Not from here.") == true)
    #expect(event.details["hook"]?.stringValue?.contains("Not from here.") == true)
    #expect(reports.all.isEmpty, "A refusal is no failure.")
  }

  @Test func `PB5: a hook that fails or gives an impossible answer is in the event and reported`()
    async throws
  {
    let hooks = ScriptedHooks()
    let home = TestHome(hooks: hooks)
    let reports = Reports()
    let graph = home.graph.reporting(reports.take)
    func refusal(_ code: AuthError.Code) async throws -> AuditEvent {
      let error = await expectError(code) {
        try await graph.signIn(home.credential("1"), by: home.anyone)
      }
      return try await home.graph.event(#require(error?.eventID), in: home.scope)
    }
    hooks.answer(.beforeCreate) { _, _ in throw Failed(description: "no server") }
    #expect(try await refusal(.blockingFunctionError).details["hook"] == "failed: no server")
    hooks.answer(.beforeCreate) { answer, _ in answer.photoURL = .set("javascript:alert(1)") }
    let event = try await refusal(.invalidPhotoURL)
    #expect(event.details["hook"]?.stringValue?.contains("A photo URL is") == true)
    #expect(event.trace.steps.last?.rule == "the app's beforeCreate")
    #expect(reports.all.map(\.kind) == [.hook, .hook])
    #expect(reports.all.last?.eventID == event.id)
    #expect(try await home.everything().isEmpty)
  }
}
