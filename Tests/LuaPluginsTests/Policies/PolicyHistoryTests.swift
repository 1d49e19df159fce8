import AuthCore
import Testing

@testable import LuaPlugins

/// What policies see of the past: earlier merges, and the times of passwords and sign-ins.
@Suite struct `Words for the past` {
  private static func value(
    _ expression: String, _ change: (inout MergeConflict) throws -> Void
  ) throws -> String? {
    var conflict = try PolicyBench.conflict()
    try change(&conflict)
    let policy = try LuaMergePolicy(PolicyBench.source("return refuse(tostring(\(expression)))"))
    guard case .refuse(let refusal) = try policy.decide(conflict) else { return nil }
    return refusal.reason
  }

  @Test func `absorbed lists the earlier merges of each account`() throws {
    func given(_ conflict: inout MergeConflict) {
      conflict.history = ConflictHistory(
        current: [
          AbsorbedAccount(AccountID("u3"), at: Timestamp(milliseconds: 9)),
          AbsorbedAccount(AccountID("u4"), at: Timestamp(milliseconds: 5)),
        ])
    }
    #expect(
      try Self.value(
        "#conflict.current.absorbed .. conflict.current.absorbed[1].uid "
          + ".. conflict.current.absorbed[2].at", given) == "2u35")
    #expect(try Self.value("#conflict.existing.absorbed", given) == "0")
    #expect(try Self.value("conflict.existing.absorbed[1]", given) == "nil")
  }

  @Test func `a function of a field sees them too`() throws {
    var conflict = try PolicyBench.conflict()
    conflict.history.existing = [
      AbsorbedAccount(AccountID("u3"), at: Timestamp(milliseconds: 9))
    ]
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        """
        return merge { into = conflict.existing, from = conflict.current, fields = {
          displayName = function(kept, other, keptAccount, otherAccount)
            return keptAccount.absorbed[1].uid .. #otherAccount.absorbed
          end } }
        """))
    guard case .merge(_, _, let rules) = try policy.decide(conflict) else {
      Issue.record("It did not merge.")
      return
    }
    #expect(rules.fields[.displayName] == .value("u30"))
  }

  @Test func `a misspelled name is an error`() throws {
    for (name, hint) in [
      ("conflict.current.absorbd", "absorbed"), ("conflict.current.absorbed[1].when", "at"),
    ] {
      let error = try #require(throws: AuthError.self) {
        try Self.value(name) {
          $0.history.current = [
            AbsorbedAccount(AccountID("u3"), at: Timestamp(milliseconds: 9))
          ]
        }
      }
      #expect(error.message.contains(hint), "\(error)")
    }
  }

  @Test func `a password shows when it was set`() throws {
    let value = try Self.value("conflict.current.providerData[2].changedAt") { conflict in
      guard let email = conflict.current.email else { return }
      conflict.current.identities.append(
        Identity(
          key: .password(email), origin: .credential, linkedAt: Timestamp(milliseconds: 1),
          secret: StoredSecret(encoded: "x", changedAt: Timestamp(milliseconds: 7))))
    }
    #expect(value == "7")
    #expect(try Self.value("conflict.current.providerData[1].changedAt") { _ in } == "nil")
  }

  private static func failure(_ example: String, body: String) throws -> String? {
    try LuaMergePolicy.runExamples(
      of: PolicyBench.source(body, more: "examples = { { \(example) } },")
    ).first?.failure
  }

  @Test(arguments: [
    ("current = { absorbed = 7 }", "current.absorbed is not a list"),
    ("current = { absorbed = { {} } }", "has no time at"),
    ("current = { absorbed = { { at = 5, when = 6 } } }", "has no \"when\""),
    ("current = { absorbed = { 5, 6 } }", "does not begin with the newest merge"),
    (
      "current = { absorbed = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 } }",
      "more than the 10 entries that a policy sees"
    ),
    (
      "current = { providerData = { { providerID = 'google.com', changedAt = 5 } } }",
      "is not of a password"
    ),
  ])
  func `an example that is wrong says why`(example: String, problem: String) throws {
    let failure = try Self.failure(
      "\(example), expect = { refuse = true }", body: "return refuse 'no'")
    #expect(failure?.contains(problem) == true, "\(failure ?? "passed")")
  }

  @Test func `an example states merges and the time of a password`() throws {
    let body = """
      local last = conflict.existing.absorbed[1]
      return refuse(last.uid .. last.at .. conflict.current.providerData[1].changedAt)
      """
    let example = """
      current = { email = 'ada@example.com',
        providerData = { { providerID = 'password', changedAt = 8 } } },
      existing = { absorbed = { { uid = 'u3', at = 9 }, 5 } },
      expect = { refuse = 'u398' }
      """
    #expect(try Self.failure(example, body: body) == nil)
  }

  @Test func `a conflict as an example keeps its merges`() throws {
    var conflict = try PolicyBench.conflict()
    (conflict.current.customClaims, conflict.existing.customClaims) = (nil, nil)
    conflict.history.existing = [
      AbsorbedAccount(AccountID("u3"), at: Timestamp(milliseconds: 1_782_820_800_000))
    ]
    let text = conflict.exampleText(named: "one", expecting: .refusal())
    #expect(text.contains("absorbed"), "\(text)")
    #expect(text.contains("u3") && text.contains("2026-06-30") && text.contains("now ="))
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        "return refuse(conflict.existing.absorbed[1].uid)", more: "examples = { \(text) },"))
    #expect(results.first?.failure == nil, "\(results)")
    #expect(results.first?.answer?.contains("u3") == true)
  }

  @Test func `the proof varies merges if the file looks at them`() throws {
    let wrong = PolicyBench.source(
      """
      if #conflict.current.absorbed > 9 then error("too many") end
      return merge { into = conflict.existing, from = conflict.current }
      """)
    let faults = try PolicyProof(of: wrong).faults
    #expect(faults.contains { $0.pair.contains("absorbed 10 accounts") }, "\(faults)")
    #expect(PolicyLiterals("return account.absorbed").readsMerges)
    #expect(!PolicyLiterals("return account.uid").readsMerges)
  }

  @Test func `checks on a thread of their own find the same`() async throws {
    let source = try ShippedPolicyFiles.source("one-merge-a-month.lua")
    let findings = try PolicyChecks.findings(in: source)
    let apart = try await PolicyChecks.findingsApart(in: source)
    #expect(apart.evidence == findings.evidence && apart.refusals.isEmpty)
    #expect(findings.evidence.coverage == 1)
    #expect(try await PolicyChecks.examplesApart(of: source).allSatisfy(\.passed))
    let broken = PolicySource(name: "x.lua", text: "return policy {")
    let error = await #expect(throws: AuthError.self) {
      try await PolicyChecks.findingsApart(in: broken)
    }
    #expect(error?.code == .invalidPolicy)
  }
}
