import AuthCore
import LuaPlugins
import Testing

@Suite struct `Fields of an example` {
  /// Runs one example of a policy that refuses with the value of an expression.
  private static func value(_ expression: String, in example: String) throws -> String? {
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        "return refuse(tostring(\(expression)))",
        more: "examples = { { \(example), expect = { refuse = true } } },"))
    let result = try #require(results.first)
    #expect(result.failure == nil, "\(result.failure ?? "")")
    return result.answer.map { String($0.trimmingPrefix("refuses: ")) }
  }

  private static func failure(_ example: String, body: String) throws -> String? {
    try LuaMergePolicy.runExamples(
      of: PolicyBench.source(body, more: "examples = { { \(example) } },")
    ).first?.failure
  }

  @Test(arguments: [
    ("current = { uid = 'u1' }", "conflict.current.uid", "u1"),
    (
      "current = { providerData = { 'google.com' } }", "conflict.current.providerData[1].uid",
      "current"
    ),
    (
      "current = { providerData = { { providerID = 'google.com', uid = '7', issuer = 'i' } } }",
      "conflict.current.providerData[1].uid .. conflict.current.providerData[1].issuer", "7i"
    ),
    (
      """
      current = { createdAt = 5, providerData = { { providerID = 'a.example', linkedAt = 9,
        origin = 'imported', lastSignInAt = '1970-01-01T00:00:00.011Z' } } }
      """,
      """
      conflict.current.providerData[1].linkedAt .. conflict.current.providerData[1].origin
        .. conflict.current.providerData[1].lastSignInAt
      """, "9imported11"
    ),
    (
      "current = { phoneNumber = '+15555550100', providerData = { 'phone' } }",
      "conflict.current.providerData[1].uid", "+15555550100"
    ),
    (
      "current = { email = 'Ada@example.com', password = true }",
      "#conflict.current.providerData .. conflict.current.providerData[1].uid", "1ada@example.com"
    ),
    ("current = { isAnonymous = true }", "#conflict.current.providerData", "0"),
    (
      "current = { multiFactor = { 'totp', { factorID = 'phone', phoneNumber = '+15555550101' } } }",
      "conflict.current.multiFactor.enrolledFactors[2].phoneNumber", "+15555550101"
    ),
    (
      "current = { multiFactor = { enrolledFactors = { { factorID = 'totp', uid = 'f' } } } }",
      "conflict.current.multiFactor.enrolledFactors[1].uid", "f"
    ),
    (
      "credential = { claims = { hd = 'a.example' } }", "conflict.credential.claims.hd", "a.example"
    ),
    ("credential = { subject = '7' }", "conflict.credential.subject", "7"),
    ("session = { secondFactor = true }", "conflict.session.secondFactor", "true"),
    ("session = { signedInAt = '1970-01-01' }", "conflict.session.signedInAt", "0"),
    ("operation = 'merge'", "conflict.operation", "merge"),
    (
      "project = 'shop', tenant = 'north'", "conflict.project .. conflict.tenant", "shopnorth"
    ),
  ])
  func `reach the policy`(example: String, expression: String, expected: String) throws {
    #expect(try Self.value(expression, in: example) == expected)
  }

  @Test(arguments: [
    ("current = { uid = 'x' }, existing = { uid = 'x' }", "have the same uid"),
    ("current = { providerData = 'google.com' }", "current.providerData is not a list"),
    ("current = { providerData = { {} } }", "has no providerID"),
    (
      "current = { providerData = { { providerID = 'a', subjct = '7' } } }",
      "an entry of current.providerData has no \"subjct\""
    ),
    ("current = { providerData = { { providerID = 'a', origin = 'x' } } }", "origin is"),
    ("current = { password = true }", "a password without an email"),
    ("current = { multiFactor = { 'sms' } }", "no totp or phone"),
    ("current = { multiFactor = 'totp' }", "is a list"),
    ("credential = { claim = {} }", "Did you mean \"claims\"?"),
    ("session = { secondfactor = true }", "session has no \"secondfactor\""),
    ("session = 7", "session is number, not a table"),
    ("operation = 'link it'", "operation is one of link, merge, plan"),
  ])
  func `are errors if they are wrong`(example: String, problem: String) throws {
    let failure = try Self.failure(
      "\(example), expect = { refuse = true }", body: "return refuse 'no'")
    #expect(failure?.contains(problem) == true, "\(failure ?? "passed")")
  }

  @Test(arguments: [
    ("{ require = 'second factor' }", "return require 'second factor'", String?.none),
    ("{ require = true }", "return require 'recent login'", nil),
    (
      "{ require = 'second factor' }", "return require 'recent login'",
      "required with \"recent login\", not \"second factor\""
    ),
    ("{ refuse = true }", "return require 'recent login'", "required: recent login"),
    ("{ review = 'old' }", "return review 'both are old'", nil),
    ("{ review = 'new' }", "return review 'both are old'", "with \"both are old\", not \"new\""),
    ("{ code = 'staff' }", "return refuse('no', { code = 'staff' })", nil),
    ("{ refuse = 'no', code = 'a' }", "return refuse('no', { code = 'b' })", "the code b, not a"),
    ("{ refuse = 'no', code = 'a' }", "return refuse 'no'", "the code nil, not a"),
    ("{ review = true, into = 'current' }", "return refuse 'no'", "beside fields of a merge"),
  ])
  func `expect each kind of answer`(expect: String, body: String, problem: String?) throws {
    let failure = try Self.failure("expect = \(expect)", body: body)
    guard let problem else {
      #expect(failure == nil, "\(failure ?? "")")
      return
    }
    #expect(failure?.contains(problem) == true, "\(failure ?? "passed")")
  }

  @Test func `expect the ways in that the result has`() throws {
    let body = "return merge { into = conflict.current, from = conflict.existing }"
    let accounts = """
      current = { uid = 'u1', providerData = { { providerID = 'google.com', uid = '7' } } },
      existing = { uid = 'u2', providerData = { { providerID = 'github.com', uid = '8' } } }
      """
    #expect(
      try Self.failure(
        "\(accounts), expect = { into = 'current', identities = { 'github.com/8', 'google.com/7' } }",
        body: body) == nil)
    #expect(
      try Self.failure("\(accounts), expect = { identities = { 'google.com/7' } }", body: body)
        == "identities became github.com/8, google.com/7, not google.com/7")
    #expect(
      try Self.failure("\(accounts), expect = { into = 'existing' }", body: body)
        == "merged into current, not existing")
    #expect(
      try Self.failure("\(accounts), expect = { review = true }", body: body)?
        .contains("instead of review") == true)
  }
}
