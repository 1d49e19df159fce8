import AuthCore
import AuthTesting
import ProviderChecks
import Testing
import TestSupport

/// Signs in with a company's door badge, by the token that the badge service gives for it.
struct BadgeProvider: AuthProvider {
  static let id = ProviderID("badge.example")

  /// The app for which the badge service issues tokens.
  let app: String
  let transport: any HTTPTransport

  var id: ProviderID { Self.id }

  var manifest: ProviderManifest {
    ProviderManifest(
      name: "Badge", kind: .custom,
      builders: [
        CredentialBuilder(
          "badge", fields: [CredentialField("token", secret: true, "a token of the badge service")])
      ],
      hosts: ["badge.example"])
  }
}

extension BadgeProvider {
  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let token = try credential.required("token")
    let answer = try await transport.send(
      HTTPRequest(
        .get, "https://badge.example/holder", headers: [("Authorization", "Bearer \(token)")]))
    guard answer.status == 200, let holder = answer.json, holder["app"]?.stringValue == app,
      let number = holder["number"]?.stringValue, !number.isEmpty
    else {
      throw AuthError(
        .invalidCredential, "The badge service does not confirm the token.", field: "token",
        remedy: "Read the badge again.", step: .token)
    }
    let email = holder["email"]?.stringValue
    return VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: number),
      profile: IdentityProfile(email: email, displayName: holder["name"]?.stringValue),
      emailVerified: holder["emailVerified"] == true,
      email: email.flatMap { try? EmailAddress($0) })
  }
}

/// The badge service without a network: it knows one token.
private struct BadgeService: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let isAda = request.headers.contains { $0 == ("Authorization", "Bearer token-of-ada") }
    guard request.url == "https://badge.example/holder", isAda else {
      return HTTPResponse(status: 401)
    }
    let holder: JSONValue = ["app": "shop", "number": "1815", "name": "Ada Lovelace"]
    return HTTPResponse(status: 200, body: Array(holder.text.utf8))
  }
}

@Suite struct BadgeProviderTests {
  private let provider = BadgeProvider(app: "shop", transport: BadgeService())

  @Test(arguments: ProviderCheck.all)
  func `keeps the promises of a provider`(_ promise: ProviderCheck) async throws {
    try await promise.run(provider)
  }

  @Test func `signs in to one account each time`() async throws {
    let graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([provider]), policies: NoPolicies())
    let caller = Caller(scope: Scope(project: "shop"), authority: .anyone)
    let credential = try graph.providers.credential(BadgeProvider.id, ["token": "token-of-ada"])

    let first = try await graph.signIn(credential, by: caller)
    let second = try await graph.signIn(credential, by: caller)

    #expect(first.isNewUser && !second.isNewUser)
    #expect(first.account.id == second.account.id)
    #expect(second.account.identities.map(\.key.subject) == ["1815"])
  }

  @Test func `refuses a token of another app, and an unknown one`() async throws {
    let context = VerificationContext(
      scope: Scope(project: "shop"), purpose: .signIn, now: Timestamp.now())
    for (app, token) in [("bank", "token-of-ada"), ("shop", "another token")] {
      let provider = BadgeProvider(app: app, transport: BadgeService())
      let credential = try ProviderRegistry([provider]).credential(provider.id, ["token": token])
      await expectError(.invalidCredential) { try await provider.verify(credential, context) }
    }
  }
}
