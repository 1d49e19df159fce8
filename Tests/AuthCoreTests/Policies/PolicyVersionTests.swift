import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Versions of policies` {
  private let first = NamedPolicy("first", .refuses)
  private let second = NamedPolicy("second", .mergesIntoCurrent)
  private let home: TestHome

  init() { home = TestHome(policies: [first, second]) }

  private func history(_ limit: Int = 100) async throws -> [PolicyVersion] {
    try await home.graph.policyHistory(limit: limit, in: home.scope)
  }

  private func settings() async throws -> ProjectSettings {
    try await home.graph.settings(of: home.scope)
  }

  @Test func `each new text is a version, with who, when, why and its examples`() async throws {
    let evidence = PolicyEvidence(examplesPassed: 3, coverage: 0.75)
    let (receipt, version) = try await home.graph.usePolicy(
      first.source, evidence: evidence, by: home.admin)
    home.clock.advance(seconds: 60)
    try await home.putToUse(second)

    let versions = try await history()
    #expect(versions.map(\.number) == [2, 1])
    let old = try #require(versions.last)
    #expect(old.id == version && old.source == first.source && old.event == receipt.id)
    #expect(old.actor == home.admin.actor && old.reason == "test")
    #expect(old.at == home.clock.now.adding(seconds: -60))
    #expect(old.evidence == evidence && old.use == PolicyUse() && old.goesBackTo == nil)
    #expect(versions[0].id.digest != versions[1].id.digest)
    #expect(try await settings().policyVersions?.inUse == versions[0].id)
    #expect(try await history(1).map(\.number) == [2])
    #expect(
      try await home.graph.policyHistory(before: 2, limit: 9, in: home.scope).map(\.number) == [1])
  }

  @Test func `the event of a change names the number and the digest`() async throws {
    let (receipt, version) = try await home.graph.usePolicy(first.source, by: home.admin)
    let event = try await home.graph.event(receipt.id, in: home.scope)
    #expect(event.action == .changeSettings)
    #expect(event.details["mergePolicy"] == ["from": .null, "to": "first"])
    let digest = try #require(version).digest
    #expect(
      event.details["policyVersion"] == ["number": 1, "digest": .string(String(digest.prefix(12)))])
  }

  @Test func `the same text again keeps its version`() async throws {
    try await home.putToUse(first)
    try await home.putToUse(first)
    try await home.putToUse(second, as: PolicyUse(.shadow))
    try await home.putToUse(second)
    #expect(try await history().map(\.number) == [2, 1])
    #expect(try await settings().policyVersions?.inUse?.number == 2)
    #expect(try await settings().policyTrial == nil)
  }

  @Test func `a rollback is a new version that names the old one`() async throws {
    try await home.putToUse(first)
    try await home.putToUse(second, as: PolicyUse(.advise))
    let (receipt, version) = try await home.graph.rollBackPolicy(to: 1, by: home.admin)

    #expect(version?.number == 3 && receipt.action == .changeSettings)
    let newest = try #require(try await history().first)
    #expect(newest.goesBackTo == 1 && newest.source == first.source)
    let settings = try await settings()
    #expect(settings.mergePolicy == first.source && settings.policyLevel == nil)
    #expect(try await history().map(\.number) == [3, 2, 1])

    for number in [3, 4, 0, -1] {
      let error = await expectError(.invalidArgument) {
        try await home.graph.rollBackPolicy(to: number, by: home.admin)
      }
      #expect(error?.field == "version" && error?.remedy != nil, "\(number)")
    }
    #expect(try await history().count == 3)
  }

  @Test func `settings that are changed as a whole make versions too`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.mergePolicy = first.source }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.totpDriftSteps = 2 }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.mergePolicy = second.source }
    #expect(try await history().map(\.source.name) == ["second", "first"])
    _ = try await home.graph.changeSettings(by: home.admin) { $0.mergePolicy = nil }
    let versions = try await settings().policyVersions
    #expect(versions?.last == 2 && versions?.inUse == nil)
  }

  @Test func `a policy from before versions were kept becomes one when it is replaced`()
    async throws
  {
    var settings = ProjectSettings()
    settings.mergePolicy = first.source
    try await home.store.write { [settings] in try $0.save(settings, for: home.scope) }
    let pair = try await home.pair(1)
    let event = try await home.linked(1, to: pair.current.id)
    #expect(event.policyVersion == nil)
    #expect(event.details["policyVersion"]?["digest"] != nil)

    try await home.putToUse(second)
    #expect(try await history().map(\.source) == [second.source, first.source])
    _ = try await home.graph.rollBackPolicy(to: 1, by: home.admin)
    #expect(try await self.settings().mergePolicy == first.source)
  }

  @Test func `a dry run writes no version`() async throws {
    var caller = home.admin
    caller.dryRun = true
    let (receipt, version) = try await home.graph.usePolicy(first.source, by: caller)
    #expect(receipt.dryRun && version?.number == 1)
    #expect(try await history().isEmpty)
    #expect(try await settings() == ProjectSettings())
  }

  @Test func `nobody but an admin changes a policy`() async throws {
    try await home.putToUse(first)
    let person = try await home.signIn(home.credential("1")).account
    for caller in [home.anyone, home.session(person.id)] {
      await expectError(.operationNotAllowed) {
        try await home.graph.usePolicy(second.source, by: caller)
      }
      await expectError(.operationNotAllowed) {
        try await home.graph.rollBackPolicy(to: 1, by: caller)
      }
      await expectError(.operationNotAllowed) { try await home.graph.promotePolicy(by: caller) }
      await expectError(.operationNotAllowed) { try await home.graph.removePolicy(by: caller) }
    }
    #expect(try await settings().mergePolicy == first.source)
  }

  @Test func `a tenant has a history of its own, which ends with it`() async throws {
    try await home.putToUse(first)
    try await home.putToUse(second, as: PolicyUse(.advise))
    try await home.putToUse(first, as: PolicyUse(.shadow))
    let scope = Scope(project: home.scope.project, tenant: "eu")
    try await home.graph.openTenant(scope, by: home.admin)
    let settings = try await home.graph.settings(of: scope)
    #expect(settings.mergePolicy == second.source && settings.policyLevel == .advise)
    #expect(settings.policyTrial == nil && settings.policyVersions?.inUse?.number == 1)
    func numbers() async throws -> [Int] {
      try await home.graph.policyHistory(limit: 9, in: scope).map(\.number)
    }
    #expect(try await numbers() == [1])
    let admin = Caller(scope: scope, authority: .admin("ada"))
    _ = try await home.graph.usePolicy(first.source, by: admin)
    #expect(try await numbers() == [2, 1])
    #expect(try await history().map(\.number) == [3, 2, 1])

    try await home.graph.deleteTenant(scope, by: home.admin)
    try await home.graph.openTenant(scope, by: home.admin)
    #expect(try await numbers() == [1])
    await expectError(.invalidArgument) { try await home.graph.policyVersion(2, in: scope) }
  }
}
