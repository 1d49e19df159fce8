import AuthCore
import AuthTesting
import FakeVendors
import LuaPlugins
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Rights of a project's scripts over HTTP` {
  private static let generous = """
    return policy {
      name = "generous", on = { "credential-already-in-use", "email-already-in-use" }, UNPROVEN
      decide = function(c) return merge { into = c.existing, from = c.current } end,
    }
    """

  private static func policy(unproven: Bool) -> PolicySource {
    PolicySource(
      name: "generous.lua",
      text: generous.replacing("UNPROVEN", with: unproven ? "unproven = true," : ""))
  }

  /// Links a vendor's credential with the victim's address, from an untrusted vendor.
  private func attack(_ home: Federation) async throws -> (victim: AccountID, reply: Reply) {
    let victim = try await home.account(email: "ada@example.com", verified: true) {
      $0.customClaims = .set(try CustomClaims(["role": "admin"]))
    }
    let reply = try await home.signIn(
      .google, .ada, claims: ["email": "ada@example.com", "email_verified": false],
      idToken: home.anonymousSession())
    return (victim, reply)
  }

  @Test func `PB1: a policy without a check gives no admin's account away`() async throws {
    try await withFederation(.production) { home in
      try await home.settings { $0.mergePolicy = Self.policy(unproven: false) }
      let (victim, reply) = try await attack(home)
      #expect(reply.status == 400 && reply.message == "EMAIL_EXISTS", "\(reply.text)")
      #expect(reply.json["idToken"] == nil && reply.json["localId"] == nil)
      #expect(try await home.stored(victim).identities(of: .google).isEmpty)
      #expect(try await home.accountCount() == 2)
      let later = try await home.signIn(.google, .ada, claims: ["email_verified": false])
      #expect(later.json["localId"] != .string(victim.rawValue))
    }
  }

  @Test func `PB1: an offer is an admin's to list and to carry out`() async throws {
    try await withFederation(.production) { home in
      try await home.settings { $0.mergePolicy = Self.policy(unproven: true) }
      let (victim, reply) = try await attack(home)
      #expect(reply.status == 400 && reply.message == "EMAIL_EXISTS", "\(reply.text)")
      #expect(try await home.accountCount() == 2)

      let path = "\(home.server.adminRoot)/mergeOffers"
      let list = try await home.server.admin("GET", path)
      let offer = try #require(list.json["offers"]?.items.first, "\(list.text)")
      #expect(offer["keep"] == .string(victim.rawValue) && offer["notShown"] == ["existing"])
      let id = try #require(offer["id"]?.stringValue)
      let plan = try await home.server.admin("POST", "\(path)/\(id):plan", [:])
      #expect(plan.json["survivor"]?["uid"] == .string(victim.rawValue), "\(plan.text)")
      let merged = try await home.server.admin(
        "POST", "\(path)/\(id):merge", ["reason": "same person"])
      #expect(merged.json["action"] == "merge", "\(merged.text)")
      #expect(try await home.accountCount() == 1)
      #expect(try await home.server.admin("GET", path).json["offers"]?.items.isEmpty == true)
      #expect(try await home.server.admin("POST", "\(path)/\(id):merge", [:]).status == 404)
      #expect(try await home.server.admin("POST", "\(path)/nobody:plan", [:]).status == 404)
    }
  }

  @Test func `PB6: a policy that fails on a link is in the log, in why and in the metrics`()
    async throws
  {
    let log = LogLines()
    try await withFederation(
      .production,
      configure: {
        $0.logger = log.logger
        $0.servers = 1
      }
    ) { home in
      try await home.settings {
        $0.mergePolicy = PolicySource(
          name: "house.lua",
          text: """
            return policy { name = "house", on = { "credential-already-in-use" },
              decide = function(c)
                return merge { into = c.curent, from = c.existing }
              end }
            """)
      }
      _ = try await home.signIn(.google, .bo)
      let reply = try await home.signIn(.google, .bo, idToken: home.anonymousSession())
      #expect(reply.message == "FEDERATED_USER_ID_ALREADY_LINKED", "\(reply.text)")
      let problem = "house.lua:3: a conflict has no \"curent\". Did you mean \"current\"?"
      #expect(log.text.contains(problem), "\(log.text)")
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.server.scope).first {
          $0.errorCode == "credential-already-in-use"
        })
      #expect(event.trace.steps.last?.result == "failed: \(problem)")
      let metrics = try await home.server.call("GET", "/metrics")
      #expect(
        metrics.text.contains("authgraph_script_failures_total{script=\"merge-policy\"} 1"),
        "\(metrics.text)")
    }
  }

  @Test(arguments: [
    (
      "return { sessionClaims = { a = event.claims.a.b } }",
      "hooks.lua:2: attempt to index a nil value"
    ),
    ("while true do end", "the script was stopped"),
    ("return true", "hooks.lua: the hook returned boolean"),
  ])
  func `PB5: the failure of a hook is in the event, in why and in the log`(
    body: String, problem: String
  ) async throws {
    let log = LogLines()
    try await withServer(
      .production,
      configure: {
        $0.hooks = LuaSignInHooks()
        $0.logger = log.logger
      }
    ) { home in
      try await home.touch()
      try await home.change {
        $0.signIn.blockingFunctions.script = PolicySource(
          name: "hooks.lua",
          text: "return hooks { before_sign_in = function(event)\n\(body)\nend }")
      }
      let reply = try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
      #expect(reply.status == 400)
      #expect(reply.message == "BLOCKING_FUNCTION_ERROR_RESPONSE : A hook of the app failed.")
      #expect(log.text.contains(problem), "\(log.text)")
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.scope).first {
          $0.errorCode == "blocking-function-error"
        })
      #expect(event.details["hook"]?.stringValue?.contains(problem) == true, "\(event.details)")
      let step = try #require(event.trace.steps.last)
      #expect(step.rule == "the app's beforeSignIn" && step.result.contains(problem))
      #expect(log.text.contains(event.id))
    }
  }

  @Test func `PB4: the obvious hook lets passwords in`() async throws {
    try await withServer(.production, configure: { $0.hooks = LuaSignInHooks() }) { home in
      try await home.touch()
      try await home.change {
        $0.signIn.blockingFunctions.script = PolicySource(
          name: "hooks.lua",
          text: """
            return hooks { before_sign_in = function(event)
              return { sessionClaims = { groups = event.claims.groups, mine = true } }
            end }
            """)
      }
      let ada = try await home.openAccount()
      #expect(try claimsOf(ada.idToken)["mine"] == true)
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
    }
  }
}
