import AuthCore
import LuaPlugins
import Testing

@Suite struct `PB3: a refusal anywhere in an answer refuses` {
  private static func merge(_ fields: String, _ more: String = "") -> String {
    "return merge { into = conflict.current, from = conflict.existing, fields = { \(fields) } \(more) }"
  }

  private static let refusing: [String] = [
    "return refuse 'claims differ'",
    merge("customClaims = function() return refuse 'claims differ' end"),
    merge("displayName = function() return refuse 'claims differ' end"),
    merge("customClaims = function(k) return { role = refuse 'claims differ', plan = 'pro' } end"),
    merge("customClaims = function(k) return { roles = { { refuse 'claims differ' } } } end"),
    merge("disabled = function() return false, refuse 'claims differ' end"),
    merge("displayName = refuse 'claims differ'"),
    merge("displayName = { refuse 'claims differ' }"),
    merge("", ", dropIdentities = { refuse 'claims differ' }"),
    merge("", ", note = refuse 'claims differ'"),
    "return merge { into = refuse 'claims differ', from = conflict.existing }",
    "return merge { into = conflict.current, from = refuse 'claims differ' }",
    "return merge { into = conflict.current, from = conflict.existing }, refuse 'claims differ'",
    "return { merge { into = conflict.current, from = conflict.existing }, refuse 'claims differ' }",
    "return { refuse 'claims differ' }",
    """
    local answer = merge { into = conflict.current, from = conflict.existing }
    answer.why = refuse 'claims differ'
    return answer
    """,
    """
    local answer = merge { into = conflict.current, from = conflict.existing, fields = {} }
    answer.fields = { customClaims = refuse 'claims differ' }
    return answer
    """,
    """
    local no = refuse 'claims differ'
    local _ = no.reason
    return merge { into = conflict.current, from = conflict.existing, fields = { photoURL = no } }
    """,
  ]

  @Test(arguments: refusing)
  func `a refusal counts at any place of the answer`(body: String) throws {
    let isNestedMerge = body.hasPrefix("return { merge")
    guard !isNestedMerge else {
      #expect(try PolicyBench.failure(body).contains("merge is used as a value"))
      return
    }
    guard case .refuse(let refusal) = try PolicyBench.answer(body) else {
      Issue.record("It merged: \(body)")
      return
    }
    #expect(refusal.reason == "claims differ")
    #expect(refusal.place?.hasPrefix("test.lua:") == true, "\(refusal)")
  }

  @Test func `the place is that of refuse`() throws {
    guard case .refuse(let refusal) = try PolicyBench.answer("local a = 1\nreturn refuse 'no'")
    else {
      Issue.record("It merged.")
      return
    }
    #expect(refusal.place == "test.lua:5")
  }

  @Test func `a merge in the place of a value is no value`() throws {
    let nested = Self.merge(
      "customClaims = function() return { x = merge { into = conflict.current, from = conflict.existing } } end"
    )
    #expect(try PolicyBench.failure(nested).contains("merge is used as a value"))
  }

  @Test func `claims with the name of a refusal are claims`() throws {
    let body = Self.merge(
      "customClaims = function() return { answer = 'refuse', reason = 'x', by = 'ada' } end")
    guard case .merge(_, _, let rules) = try PolicyBench.answer(body) else {
      Issue.record("It refused.")
      return
    }
    #expect(
      rules.fields[.customClaims]
        == .value(["answer": "refuse", "reason": "x", "by": "ada"]))
  }

  @Test func `PB13: into and from are two accounts, and the error has a line`() throws {
    let message = try PolicyBench.failure(
      "return merge { into = conflict.current, from = conflict.current }")
    #expect(message.contains("test.lua:4: "))
    #expect(message.contains("into and from are the same account"))
  }
}

@Suite struct `Examples of a policy` {
  private static func failure(_ example: String, more: String = "", body: String? = nil) throws
    -> String?
  {
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        body ?? "return merge { into = conflict.current, from = conflict.existing, "
          + "fields = { phoneNumber = function() return nil end } }",
        more: "\(more) examples = { { \(example) } },"))
    return results.first?.failure
  }

  @Test func `PB9: an example can say that a field is empty`() throws {
    let phone = "current = { phoneNumber = '+15555550100' }"
    #expect(
      try Self.failure("\(phone), expect = { into = 'current', phoneNumber = json.null }") == nil)
    #expect(
      try Self.failure("\(phone), expect = { phoneNumber = '+15555550100' }")
        == "phoneNumber became null, not \"+15555550100\"")
  }

  @Test(arguments: [
    ("expect = {}", "expects nothing"),
    ("current = {}", "expects nothing"),
    ("proof = { bth = true }, expect = { into = 'current' }", "Did you mean \"both\"?"),
    ("proof = { both = 'yes' }, expect = { into = 'current' }", "proof.both must be true or false"),
    ("proof = true, expect = { into = 'current' }", "proof is boolean, not a table"),
    ("code = 'email-in-use', expect = { into = 'current' }", "there is no conflict"),
    ("code = 'email-already-in-use', expect = { into = 'current' }", "does not answer"),
    ("current = { emailVerified = true }, expect = { into = 'current' }", "without an email"),
    ("current = 'ada', expect = { into = 'current' }", "current is string, not a table"),
    ("expect = { into = 'curent' }", "\"current\" or \"existing\""),
    ("expect = { inot = 'current' }", "Did you mean \"into\"?"),
    ("expect = { refuse = true, into = 'current' }", "beside fields of a merge"),
  ])
  func `PB10: one that is wrong does not pass`(example: String, problem: String) throws {
    let failure = try Self.failure(example)
    #expect(failure?.contains(problem) == true, "\(failure ?? "passed")")
  }

  @Test(arguments: [
    "examples = { 'a' },", "examples = { x = {} },", "examples = 7,", "unproven = 1,",
  ])
  func `PB10: a list of them that is none is an error of the file`(more: String) {
    #expect(throws: AuthError.self) {
      try LuaMergePolicy(PolicyBench.source("return refuse 'no'", more: more))
    }
  }

  @Test func `PB1: without proof nothing is merged, unless the file wants to be asked`() throws {
    let unproven = "proof = { existing = false }"
    let merging = try Self.failure("\(unproven), expect = { into = 'current' }")
    #expect(merging?.contains("not asked") == true)
    #expect(try Self.failure("\(unproven), expect = { refuse = 'not shown' }") == nil)
    let wanting = "unproven = true,"
    #expect(try Self.failure("\(unproven), expect = { into = 'current' }", more: wanting) == nil)
    #expect(try !LuaMergePolicy(PolicyBench.source("")).answersUnproven)
    #expect(try LuaMergePolicy(PolicyBench.source("", more: "unproven = true,")).answersUnproven)
  }
}
