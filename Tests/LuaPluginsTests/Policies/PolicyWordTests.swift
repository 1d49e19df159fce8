import AuthCore
import LuaPlugins
import Testing

@Suite struct `Words of policies about accounts` {
  /// The value of an expression, in the words of Lua, as the reason of a refusal.
  private static func value(_ expression: String, before: String = "") throws -> String {
    let answer = try PolicyBench.answer("\(before) return refuse(tostring(\(expression)))")
    guard case .refuse(let refusal) = answer else { return "\(answer)" }
    return refusal.reason
  }

  @Test(arguments: [
    ("has(conflict.current, 'github.com')", "true"),
    ("has(conflict.current, 'google.com')", "false"),
    ("claim(conflict.current, 'role')", "admin"),
    ("claim(conflict.current, 'plan')", "nil"),
    ("claim(conflict.current, 'none')", "nil"),
    ("#claim(conflict.current, 'tags')", "1"),
    ("domain(conflict.current)", "example.com"),
    ("domain('Ada@Corp.Example')", "corp.example"),
    ("domain('no address')", "nil"),
    ("domain(nil)", "nil"),
    ("mailbox('Ada.Lovelace+shop@GMail.com')", "adalovelace@gmail.com"),
    ("mailbox('ada.l@googlemail.com')", "adal@gmail.com"),
    ("mailbox('Ada.L+shop@example.com')", "ada.l+shop@example.com"),
    ("mailbox(conflict.existing)", "existing@example.com"),
    ("mailbox(nil)", "nil"),
    ("sameAddress('ADA@example.com', 'ada@Example.com')", "true"),
    ("sameAddress(conflict.current, 'current@example.com')", "true"),
    ("sameAddress(conflict.current, conflict.existing)", "false"),
    ("sameAddress(nil, nil)", "false"),
  ])
  func `give the same answer before and after the account was read`(
    expression: String, expected: String
  ) throws {
    #expect(try Self.value(expression) == expected)
    let touch =
      "for _, a in ipairs { conflict.current, conflict.existing } do for _ in pairs(a) do end end"
    #expect(try Self.value(expression, before: touch) == expected)
  }

  @Test(arguments: [
    ("has('ada', 'google.com')", "an account expected, got string"),
    ("has(conflict.current)", "(provider)"),
    ("claim(nil, 'role')", "an account expected, got nil"),
    ("mailbox(true)", "(address)"),
  ])
  func `refuse what is no account`(expression: String, problem: String) throws {
    let message = try PolicyBench.failure("return \(expression)")
    #expect(message.contains(problem) && message.hasPrefix("test.lua:4: "), "\(message)")
  }

  @Test func `an account without claims or an address has none`() throws {
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        """
        local a = conflict.current
        return refuse(tostring(claim(a, "role")) .. tostring(domain(a)) .. tostring(mailbox(a)))
        """))
    let bare = Account(
      id: AccountID("bare"), scope: Scope(project: "test"), createdAt: Timestamp(milliseconds: 0))
    let conflict = MergeConflict(
      code: .credentialAlreadyInUse, current: bare,
      existing: try PolicyBench.account("existing"), provider: ProviderID("github.com"),
      proof: MergeProof(current: true, existing: true))
    #expect(try policy.decide(conflict) == .refuse("nilnilnil"))
  }
}

@Suite struct `The conflict that a policy sees` {
  private static func reason(
    _ expression: String, _ change: (inout MergeConflict) -> Void
  ) throws -> String {
    var conflict = MergeConflict(
      code: .emailAlreadyInUse, current: try PolicyBench.account("current"),
      existing: try PolicyBench.account("existing"), provider: .google,
      proof: MergeProof(current: true, existing: true),
      decidedAt: Timestamp(milliseconds: 1234))
    change(&conflict)
    let policy = try LuaMergePolicy(
      PolicySource(
        name: "test.lua",
        text: """
          return policy { name = "t", on = { "email-already-in-use" },
            decide = function(conflict) return refuse(tostring(\(expression))) end }
          """))
    guard case .refuse(let refusal) = try policy.decide(conflict) else { return "" }
    return refusal.reason
  }

  @Test(arguments: [
    ("conflict.now", "1234"), ("conflict.now == time.now()", "true"),
    ("conflict.operation", "merge"), ("conflict.project", "test"), ("conflict.tenant", "nil"),
    ("conflict.credential.providerID", "google.com"), ("conflict.credential.subject", "7"),
    ("conflict.credential.email", "ada@corp.example"),
    ("conflict.credential.emailVerified", "true"),
    ("conflict.credential.claims.hd", "corp.example"),
    ("conflict.credential.claims.none", "nil"), ("conflict.credential.claims.empty", "nil"),
    ("conflict.session.signedInAt", "1000"), ("conflict.session.secondFactor", "true"),
    ("conflict.current.providerData[1].origin", "credential"),
    ("conflict.current.providerData[1].linkedAt", "0"),
    ("conflict.current.providerData[1].lastSignInAt", "nil"),
  ])
  func `has the credential, the session, the time and the origin of identities`(
    expression: String, expected: String
  ) throws {
    let found = try Self.reason(expression) { conflict in
      conflict.operation = .merge
      conflict.credential = ConflictCredential(
        subject: "7", email: "ada@corp.example", emailVerified: true,
        claims: ["hd": "corp.example", "empty": .null])
      conflict.session = ConflictSession(
        signedInAt: Timestamp(milliseconds: 1000), secondFactor: true)
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("conflict.operation", "link"), ("conflict.credential.subject", "nil"),
    ("next(conflict.credential.claims)", "nil"), ("conflict.session.signedInAt", "nil"),
    ("conflict.session.secondFactor", "false"),
  ])
  func `has both parts also if nothing is known`(expression: String, expected: String) throws {
    #expect(try Self.reason(expression) { _ in } == expected)
  }
}
