import AuthTesting
import FakeVendors
import TestSupport
import Testing

@testable import AuthCore

/// A vendor of ID tokens; the name in a credential tells its tokens apart, and all have one nonce.
private struct TokenVendor: AuthProvider {
  static let id = ProviderID("tokens.example")

  let manifest: ProviderManifest
  var id: ProviderID { Self.id }

  init() { manifest = FakeProvider(id: Self.id).manifest }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    var identity = try await FakeProvider(id: Self.id).verify(credential, context)
    let end = context.now.adding(seconds: 3600)
    let token = identity.profile.displayName ?? ""
    identity.uses = [.idToken(token, of: "https://tokens.example", expiresAt: end)]
    if token.hasPrefix("with nonce") {
      identity.uses.append(.nonce("n", of: "https://tokens.example", expiresAt: end))
    }
    return identity
  }
}

@Suite struct `An ID token that is used twice` {
  private let home = TestHome(more: [TokenVendor()])

  private func token(_ name: String = "token", of subject: String = "ada") throws -> Credential {
    try home.credential(subject, provider: TokenVendor.id, name: name)
  }

  private func client(_ network: String? = "home") -> Caller {
    var caller = home.anyone
    caller.client.network = network
    return caller
  }

  private func signIn(_ credential: Credential, from network: String? = "home") async throws
    -> SignInResult
  {
    try await home.graph.signIn(credential, by: client(network))
  }

  @Test(arguments: ["token", "with nonce"])
  func `signs in again from the network that used it`(name: String) async throws {
    let first = try await signIn(token(name))
    home.clock.advance(seconds: 599)
    let again = try await signIn(token(name))
    #expect(first.isNewUser && !again.isNewUser)
    #expect(again.account.id == first.account.id)
  }

  @Test(arguments: ["token", "with nonce"])
  func `attack 18: opens nothing from another network, or from none`(name: String) async throws {
    _ = try await signIn(token(name))
    for network in ["elsewhere", nil] {
      await expectError(.invalidCredential) { try await signIn(token(name), from: network) }
    }
  }

  @Test func `attack 18: opens nothing after its time, and no repetition extends that`()
    async throws
  {
    _ = try await signIn(token())
    home.clock.advance(seconds: 599)
    _ = try await signIn(token())
    home.clock.advance(seconds: 601)
    await expectError(.invalidCredential) { try await signIn(token()) }
  }

  @Test func `attack 18: a token without a known network is used up at once`() async throws {
    _ = try await signIn(token(), from: nil)
    for network in ["home", nil] {
      await expectError(.invalidCredential) { try await signIn(token(), from: network) }
    }
  }

  @Test func `attack 18: lends its nonce to no other token`() async throws {
    _ = try await signIn(token("with nonce 1"))
    await expectError(.invalidCredential) { try await signIn(token("with nonce 2")) }
    await expectError(.invalidCredential) {
      try await signIn(token("with nonce 3", of: "eve"))
    }
  }

  @Test func `signs in to its own account after a refused link`() async throws {
    let ada = try await signIn(token("first")).account
    let eve = try await home.signIn(home.credential("eve")).account
    var session = home.session(eve.id)
    session.client.network = "home"
    let caller = session
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(token("second"), to: eve.id, by: caller)
    }
    #expect(try await signIn(token("second")).account.id == ada.id)
    #expect(try await home.account(eve.id).identities.count == 1)
  }

  @Test func `of a sign-in is no link to another account`() async throws {
    let ada = try await signIn(token()).account
    let eve = try await home.signIn(home.credential("eve")).account
    var session = home.session(eve.id)
    session.client.network = "home"
    let caller = session
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(token(), to: eve.id, by: caller)
    }
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `begins a sign-in with a second factor again, which stays asked for`() async throws {
    let ada = try await signIn(token("first")).account
    try await home.update(ada.id) {
      $0.email = .set(try EmailAddress("ada@example.com"))
      $0.emailVerified = true
      $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
    }
    for _ in 1...2 {
      await expectError(.secondFactorRequired) { try await signIn(token("second")) }
    }
    await expectError(.invalidCredential) {
      try await signIn(token("second"), from: "elsewhere")
    }
  }

  @Test func `attack 18: other one-time values are good once`() async throws {
    let phone = try await home.phone("+15555550100")
    _ = try await signIn(phone)
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await signIn(phone)
    }
  }
}
