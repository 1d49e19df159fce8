import AuthCore
import LuaPlugins
import Testing

/// Policies by their text, and a conflict of two accounts.
struct PolicyBench {
  static func account(_ id: String, createdAt: Int64 = 0) throws -> Account {
    var account = Account(
      id: AccountID(id), scope: Scope(project: "test"),
      createdAt: Timestamp(milliseconds: createdAt))
    account.email = try EmailAddress("\(id)@example.com")
    account.customClaims = try CustomClaims(
      text: #"{"role":"admin","plan":null,"tags":["a",null]}"#)
    account.secondFactors = []
    account.identities = [
      Identity(
        key: IdentityKey(ProviderID("github.com"), subject: id), origin: .credential,
        linkedAt: account.createdAt)
    ]
    return account
  }

  static func conflict() throws -> MergeConflict {
    MergeConflict(
      code: .credentialAlreadyInUse, current: try account("current", createdAt: 2),
      existing: try account("existing", createdAt: 1), provider: ProviderID("github.com"),
      proof: MergeProof(current: true, existing: true))
  }

  static func source(_ body: String, more: String = "") -> PolicySource {
    PolicySource(
      name: "test.lua",
      text: """
        return policy {
          name = "test", on = { "credential-already-in-use" }, \(more)
          decide = function(conflict)
            \(body)
          end,
        }
        """)
  }

  static func answer(_ body: String) throws -> MergeAnswer {
    try LuaMergePolicy(source(body)).decide(conflict())
  }

  /// The message of a policy that fails.
  static func failure(_ body: String) throws -> String {
    let error = try #require(throws: AuthError.self, "\(body)") { try answer(body) }
    #expect(error.code == .invalidPolicy)
    return error.message
  }
}

@Suite struct `PB7: an unknown name is an error` {
  @Test(arguments: [
    ("conflict.curent", "a conflict has no \"curent\". Did you mean \"current\"?"),
    ("conflict.proof.bothh", "a proof has no \"bothh\". Did you mean \"both\"?"),
    ("conflict.current.customClaim", "an account has no \"customClaim\". Did you mean"),
    ("conflict.current.emailVerifed", "Did you mean \"emailVerified\"?"),
    ("conflict.existing.metadata.createdat", "Did you mean \"createdAt\"?"),
    ("conflict.existing.multiFactor.factors", "has no \"factors\""),
    ("conflict.current.providerData[1].providerId", "Did you mean \"providerID\"?"),
    ("conflict.current.providerData[1].subject", "It has: providerID, uid, "),
    ("conflict.credential.subjct", "a credential has no \"subjct\". Did you mean \"subject\"?"),
    ("conflict.session.secondfactor", "a session has no \"secondfactor\""),
    ("conflict.current.providerData[1].orgin", "Did you mean \"origin\"?"),
    ("conflict.operaton", "Did you mean \"operation\"?"),
    ("conflict[1]", "a conflict is read by its names"),
    ("conflict.current[true]", "an account is read by its names"),
    ("conflict[('x'):rep(1000)]", "a conflict is read by its names"),
  ])
  func `in a policy`(read: String, problem: String) throws {
    let message = try PolicyBench.failure("local _ = \(read) return refuse 'read'")
    #expect(message.contains(problem), "\(message)")
    #expect(message.hasPrefix("test.lua:4: "), "\(message)")
  }

  @Test(arguments: ["keptAccount.customClaim", "other_.emailVerifed"])
  func `in the function of a field`(read: String) throws {
    let message = try PolicyBench.failure(
      """
      return merge { into = conflict.current, from = conflict.existing, fields = {
        displayName = function(kept, other, keptAccount, other_) return \(read) end } }
      """)
    #expect(message.contains("Did you mean") && message.hasPrefix("test.lua:5: "), "\(message)")
  }

  /// The same after the whole account was written, by walking it or by setting a field.
  @Test(arguments: [
    "for _ in pairs(a) do end", "next(a)", "json.encode(a)", "a.displayName = 'x'",
    "local _ = a.uid",
  ])
  func `after any use of the account`(touch: String) throws {
    let message = try PolicyBench.failure(
      "local a = conflict.current \(touch) local _ = a.customClaim return refuse 'read'")
    #expect(message.contains("Did you mean \"customClaims\"?"), "\(message)")
  }

  @Test func `a field without a value is nil, and iteration goes on`() throws {
    let body = """
      local a, n = conflict.current, 0
      for name in pairs(a) do n = n + 1 end
      for name in pairs(conflict) do n = n + 100 end
      for name in pairs(conflict.proof) do n = n + 1000 end
      if a.photoURL or a.lastSignInAt or a.metadata.lastSignInAt or a.providerData[2] then n = 0 end
      if a.providerData[1].issuer or a.customClaims.unknown then n = 0 end
      a.mine = "written"
      return refuse(n .. a.mine .. #a .. tostring(a.phoneNumber))
      """
    // uid, email, emailVerified, disabled, isAnonymous, customClaims, metadata, multiFactor, providerData, createdAt,
    // absorbed;
    // all fields of a conflict but the tenant.
    #expect(try PolicyBench.answer(body) == .refuse("4011written0nil"))
  }

  @Test func `a script that catches the error goes on within its budget`() throws {
    #expect(
      try PolicyBench.answer(
        "return refuse(tostring(pcall(function() return conflict.curent end)))") == .refuse("false")
    )
    _ = try PolicyBench.failure(
      "while true do pcall(function() return conflict.curent end) end")
  }

  @Test func `PB4: an empty claim of an account is nil`() throws {
    let body = """
      local claims = conflict.current.customClaims
      return refuse(tostring(claims.plan) .. #claims.tags .. tostring(claims.role))
      """
    #expect(try PolicyBench.answer(body) == .refuse("nil1admin"))
  }
}
