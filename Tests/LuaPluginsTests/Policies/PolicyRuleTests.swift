import AuthCore
import LuaPlugins
import Testing

@Suite struct `Rules by claim` {
  private static func account(_ id: String, _ claims: String?, createdAt: Int64) throws -> Account {
    var account = try PolicyBench.account(id, createdAt: createdAt)
    account.customClaims = try claims.map { try CustomClaims(text: $0) }
    return account
  }

  /// The claims of a merge into the older account, or the refusal.
  private static func merged(
    _ rules: String, _ kept: String?, _ other: String?
  ) throws -> (claims: JSONValue?, refusal: MergeRefusal?) {
    let conflict = MergeConflict(
      code: .credentialAlreadyInUse, current: try account("current", other, createdAt: 2),
      existing: try account("existing", kept, createdAt: 1), provider: .google,
      proof: MergeProof(current: true, existing: true))
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        """
        return merge { into = conflict.existing, from = conflict.current,
          fields = { customClaims = \(rules) } }
        """))
    switch try policy.decide(conflict) {
    case .merge(let into, let from, let rules):
      #expect(into == conflict.existing.id && from == conflict.current.id)
      let plan = try MergePlan.rehearse(
        keep: conflict.existing, absorb: conflict.current, rules: rules)
      return (plan.result.customClaims.map { .object($0.members) }, nil)
    case .refuse(let refusal): return (nil, refusal)
    default: return (nil, nil)
    }
  }

  @Test(arguments: [
    ("{ a = 'keep' }", JSONValue.integer(1)), ("{ a = 'theirs' }", 2), ("{ a = 'newest' }", 2),
    ("{ a = 'oldest' }", 1), ("{ a = 'highest' }", 2), ("{ a = 'lowest' }", 1),
    ("{ a = 'union' }", 1), ("{ a = { 2, 1 } }", 1), ("{ a = { 1, 2 } }", 2),
    ("{ a = function(kept, other) return kept + other end }", 3),
    ("{ a = function(k, o, kept, other) return kept.uid .. other.uid end }", "existingcurrent"),
    ("{ default = 'theirs' }", 2),
  ])
  func `each decides one claim`(rules: String, expected: JSONValue) throws {
    let merged = try Self.merged(rules, #"{"a":1}"#, #"{"a":2}"#)
    #expect(merged.claims == ["a": expected])
  }

  @Test func `a claim of one account alone, or equal in both, needs no rule`() throws {
    let merged = try Self.merged(
      "{ a = 'highest' }", #"{"a":1,"same":"x","kept":[1],"none":null}"#,
      #"{"same":"x","other":{"b":true}}"#)
    #expect(merged.claims == ["a": 1, "same": "x", "kept": [1], "other": ["b": true]])
  }

  @Test func `maps are joined, and by default a difference refuses`() throws {
    let joined = try Self.merged("{}", #"{"m":{"a":1}}"#, #"{"m":{"b":2}}"#)
    #expect(joined.claims == ["m": ["a": 1, "b": 2]])
    for (kept, other) in [
      (#"{"m":{"a":1}}"#, #"{"m":{"a":2}}"#), (#"{"m":["a"]}"#, #"{"m":["b"]}"#),
      (#"{"m":1}"#, #"{"m":2}"#),
    ] {
      #expect(try Self.merged("{}", kept, other).refusal == .claimsDiffer(["m"]))
      #expect(try Self.merged("'union-or-refuse'", kept, other).refusal == .claimsDiffer(["m"]))
      #expect(try Self.merged("'union'", kept, other).claims != nil)
    }
  }

  @Test(arguments: [
    ("{ a = 'highest' }", "not a number"), ("{ a = { 'x', 'y' } }", "does not know"),
    ("{ a = function() return refuse 'no such plan' end }", "no such plan"),
  ])
  func `one that cannot decide refuses`(rules: String, reason: String) throws {
    let refusal = try Self.merged(rules, #"{"a":"gold"}"#, #"{"a":2}"#).refusal
    #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "merged")")
  }

  @Test func `no claims on both sides are none`() throws {
    #expect(try Self.merged("{ a = 'keep' }", nil, nil).claims == nil)
    #expect(try Self.merged("{ a = function() end }", #"{"a":1}"#, nil).claims == nil)
  }

  @Test(arguments: [
    ("{ a = 'higest' }", "The rule of the claim a is \"higest\""),
    ("{ a = 7 }", "The rule of the claim a is number"), ("{ 'keep' }", "a list"),
    ("{ a = {} }", "The rule of the claim a is table"),
  ])
  func `an unknown rule is an error`(rules: String, problem: String) throws {
    let error = try #require(throws: AuthError.self) { try Self.merged(rules, nil, nil) }
    #expect(error.message.contains(problem), "\(error)")
  }

  @Test func `rules of a plan that the script has read stay`() throws {
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        """
        local plan = merge { into = conflict.existing, from = conflict.current,
          fields = { customClaims = { role = "theirs", default = "union" } },
          identities = { ["github.com"] = "keep" } }
        local _ = plan.fields
        plan.note = "read"
        return plan
        """))
    guard case .merge(_, _, let rules) = try policy.decide(PolicyBench.conflict()) else {
      Issue.record("It did not merge.")
      return
    }
    #expect(rules.fields[.customClaims] == .value(["role": "admin", "tags": ["a", .null]]))
    #expect(
      rules.droppedIdentities == [IdentityKey(ProviderID("github.com"), subject: "current")])
  }
}

@Suite struct `Rules by provider` {
  private static func account(
    _ id: String, _ identities: [(String, Int64)], password: Bool = false
  ) throws -> Account {
    var account = try PolicyBench.account(id, createdAt: id == "current" ? 2 : 1)
    account.customClaims = nil
    account.identities = identities.map { provider, linkedAt in
      Identity(
        key: IdentityKey(ProviderID(provider), subject: id), origin: .credential,
        linkedAt: Timestamp(milliseconds: linkedAt))
    }
    if password, let email = account.email {
      account.identities.append(
        Identity(
          key: .password(email), origin: .credential, linkedAt: account.createdAt,
          secret: StoredSecret(encoded: "x", changedAt: account.createdAt)))
    }
    return account
  }

  private static func plan(
    _ rules: String, _ current: Account, _ existing: Account
  ) throws -> MergePlan {
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        "return merge { into = conflict.existing, from = conflict.current, identities = \(rules) }")
    )
    let conflict = MergeConflict(
      code: .credentialAlreadyInUse, current: current, existing: existing, provider: .google,
      proof: MergeProof(current: true, existing: true))
    guard case .merge(_, _, let rules) = try policy.decide(conflict) else { throw NoMerge() }
    return try MergePlan.rehearse(keep: existing, absorb: current, rules: rules)
  }

  private struct NoMerge: Error {}

  @Test(arguments: [
    ("both", ["existing", "current"]), ("keep", ["existing"]), ("theirs", ["current"]),
    ("newest", ["current"]), ("oldest", ["existing"]),
  ])
  func `choose which account's identity stays`(rule: String, subjects: [String]) throws {
    let plan = try Self.plan(
      "{ ['google.com'] = '\(rule)' }",
      Self.account("current", [("google.com", 20), ("github.com", 1)]),
      Self.account("existing", [("google.com", 10)]))
    #expect(plan.result.identities(of: .google).map(\.key.subject) == subjects)
    #expect(plan.result.identities(of: ProviderID("github.com")).count == 1)
  }

  @Test func `an identity that only one account has stays`() throws {
    let plan = try Self.plan(
      "{ ['google.com'] = 'theirs' }", Self.account("current", [("github.com", 1)]),
      Self.account("existing", [("google.com", 1)]))
    #expect(plan.result.identities.count == 2)
  }

  @Test(arguments: [("keep", "existing@example.com"), ("theirs", "current@example.com")])
  func `that of the password chooses the address too`(rule: String, email: String) throws {
    let plan = try Self.plan(
      "{ password = '\(rule)' }", Self.account("current", [], password: true),
      Self.account("existing", [], password: true))
    #expect(plan.result.email?.text == email)
    #expect(plan.result.identities.map(\.key.subject) == [email])
  }

  /// The survivor's password was linked last, and the other one was set last.
  @Test(arguments: [
    ("newest", "existing@example.com"), ("last-set", "current@example.com"),
    ("last-used", "current@example.com"),
  ])
  func `the password that was set or used last stays`(rule: String, email: String) throws {
    func account(_ id: String, linkedAt: Int64, setAt: Int64, usedAt: Int64?) throws -> Account {
      var account = try Self.account(id, [])
      let email = try #require(account.email)
      account.identities = [
        Identity(
          key: .password(email), origin: .credential,
          linkedAt: Timestamp(milliseconds: linkedAt),
          lastSignInAt: usedAt.map { Timestamp(milliseconds: $0) },
          secret: StoredSecret(encoded: "x", changedAt: Timestamp(milliseconds: setAt)))
      ]
      return account
    }
    let plan = try Self.plan(
      "{ password = '\(rule)' }", account("current", linkedAt: 1, setAt: 9, usedAt: 3),
      account("existing", linkedAt: 5, setAt: 5, usedAt: nil))
    #expect(plan.result.identities.map(\.key.subject) == [email])
  }

  @Test func `the identity that signed in last stays`() throws {
    var current = try Self.account("current", [("google.com", 1)])
    current.identities[0].lastSignInAt = Timestamp(milliseconds: 9)
    let plan = try Self.plan(
      "{ ['google.com'] = 'last-used' }", current, Self.account("existing", [("google.com", 5)]))
    #expect(plan.result.identities(of: .google).map(\.key.subject) == ["current"])
  }

  @Test(arguments: [
    ("{ ['google.com'] = 'last-set' }", "which is no password"),
    ("{ ['google.com'] = 'kep' }", "identities has \"kep\" for google.com"),
    ("{ 'google.com' }", "identities must be a table of rules by provider"),
    ("7", "identities must be a table of rules by provider"),
  ])
  func `one that is wrong is an error`(rules: String, problem: String) throws {
    let error = try #require(throws: AuthError.self) {
      try Self.plan(rules, Self.account("current", []), Self.account("existing", []))
    }
    #expect(error.message.contains(problem), "\(error)")
  }
}
