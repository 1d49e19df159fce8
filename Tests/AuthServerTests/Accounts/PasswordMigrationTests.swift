import AuthCore
import LuaPlugins
import Testing
import TestSupport

@testable import IdentityToolkitService

/// An old shop whose people sign in with their passwords there, by way of a plug-in.
@Suite struct `Signing in with a password of an old system` {
  private static let plugin = """
    return provider {
      id = "old.example", name = "The old shop", kind = "custom", hosts = { "old.example" },
      credentials = {
        oldPassword = { email = field.email "the address", password = field.secret "the password" },
      },
      verify = function(credential, http)
        local answer = http.post("https://old.example/login", {
          json = { email = credential.email, password = credential.password }, statuses = { 401 },
        })
        if answer.status == 401 then return refuse "The old shop refuses the password." end
        local person = answer:json()
        if person.loop then while true do end end
        return identity {
          subject = person.id, email = person.email, emailVerified = person.verified == true,
          displayName = person.name,
        }
      end,
    }
    """

  private static let ada: JSONValue = [
    "id": "17", "email": "ada@example.com", "verified": true, "name": "Ada",
  ]

  private func withOldShop(
    _ shop: CountingTransport, configure: (inout ServerSetup) -> Void = { _ in },
    _ body: @escaping @Sendable (ServerHome) async throws -> Void
  ) async throws {
    var limits = PluginLimits()
    limits.instructions = 200_000
    let plugins = PluginSet(host: PluginHost(transport: shop, limits: limits))
    try plugins.load(PluginSource(name: "old.lua", text: Self.plugin))
    try await withServer(
      .production,
      configure: { setup in
        configure(&setup)
        setup.providers = { registry, _ in registry.adding(plugins) }
      }
    ) { home in
      try await home.touch()
      try await home.setSettings { $0.signIn.passwordMigration = "old.example" }
      try await body(home)
    }
  }

  @Test func `a person of the old shop signs in, and the shop is asked once`() async throws {
    let shop = CountingTransport { request, _ in
      String(decoding: request.body, as: UTF8.self).contains("opensesame")
        ? .json(Self.ada) : .json([:], status: 401)
    }
    try await withOldShop(shop) { home in
      expectFailure(
        try await home.enter("ada@example.com", "not-hers"), "INVALID_LOGIN_CREDENTIALS")
      let first = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      let again = try SignedUp(try await home.enter("ada@example.com", "opensesame"))

      #expect(first.uid == again.uid)
      #expect(shop.count == 2)
      let record = try await home.ownRecord(first.idToken)
      #expect(record["displayName"] == "Ada")
      // The old shop is not trusted for the address.
      #expect(record["emailVerified"] != true)
    }
  }

  @Test func `failures of the old shop are temporary, and create nothing`() async throws {
    let huge = HTTPResponse(status: 200, body: Array(repeating: 0x20, count: 300 << 10))
    let answers: [HTTPResponse] = [
      HTTPResponse(status: 500), HTTPResponse(status: 429), huge, .json(["loop": true]),
      .json(["id": 9_007_199_254_740_993]), HTTPResponse(status: 302, headers: ["location": "/"]),
    ]
    let shop = CountingTransport { _, count in answers[count - 1] }
    try await withOldShop(shop) { home in
      for _ in answers.dropLast(2) {
        let reply = try await home.enter("ada@example.com", "opensesame")
        #expect(reply.status == 503, "\(reply.text)")
      }
      // A person without an exact subject is none.
      expectFailure(
        try await home.enter("ada@example.com", "opensesame"), "INVALID_LOGIN_CREDENTIALS")
      #expect(try await home.enter("ada@example.com", "opensesame").status == 503)
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  @Test func `wrong passwords of the old shop are counted like our own`() async throws {
    let shop = CountingTransport(always: .json([:], status: 401))
    try await withOldShop(
      shop,
      configure: { setup in
        setup.settings = { $0.rateLimits.attemptsPerAccountAndHour = 3 }
      }
    ) { home in
      for _ in 0..<3 {
        expectFailure(
          try await home.enter("ada@example.com", "guess-1"), "INVALID_LOGIN_CREDENTIALS")
      }
      let reply = try await home.enter("ada@example.com", "guess-2")
      #expect(reply.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
      #expect(shop.count == 3)
    }
  }

  @Test func `the old shop's plug-in is no way to sign in by itself`() async throws {
    let shop = CountingTransport(always: .json(Self.ada))
    try await withOldShop(shop) { home in
      let reply = try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost", "returnSecureToken": true,
          "postBody": "providerId=old.example&email=ada%40example.com&password=opensesame",
        ])
      #expect(reply.status == 400, "\(reply.text)")
      #expect(shop.count == 0)
    }
  }
}
