import AuthCore
import BuiltInProviders
import Crypto
import Foundation
import ProviderChecks
import Testing
import TestSupport

@Suite struct `Facebook` {
  let fields = ["accessToken": "EAAB-secret"]
  let settings = FacebookFixture.settings()

  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(FacebookFixture().provider)
  }

  @Test func `an access token gives the identity that both endpoints agree on`() async throws {
    let facebook = FacebookFixture()

    let identity = try await facebook.provider.verify("accessToken", fields, settings)

    #expect(identity.key == IdentityKey(ProviderID("facebook.com"), subject: "99"))
    #expect(identity.profile.displayName == "Ada Lovelace")
    #expect(identity.profile.photoURL == "https://photos.example/ada")
    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.uses.isEmpty)
    let debug = try #require(facebook.vendor.requests(to: FacebookFixture.debugURL).first).fields
    #expect(debug == ["input_token": "EAAB-secret", "access_token": "4711|the app's secret"])
  }

  @Test func `the profile is asked for with the proof that the token is ours`() async throws {
    let facebook = FacebookFixture()

    _ = try await facebook.provider.verify("accessToken", fields, settings)

    let asked = try #require(facebook.vendor.requests(to: FacebookFixture.meURL).first)
    let proof = HMAC<SHA256>.authenticationCode(
      for: Data("EAAB-secret".utf8), using: SymmetricKey(data: Data("the app's secret".utf8)))
    #expect(asked.fields["appsecret_proof"] == proof.map { String(format: "%02x", $0) }.joined())
    #expect(asked.headerField("Authorization") == "Bearer EAAB-secret")
    #expect(!asked.url.contains("EAAB-secret"))
  }

  @Test func `attack 5: an address never counts as verified`() async throws {
    let byToken = try await FacebookFixture(me: ["email_verified": true]).provider.verify(
      "accessToken", fields, settings)
    let limited = try await FacebookFixture().provider.verify(
      "limitedLogin", limitedLogin(["email_verified": true]), settings)

    #expect(!byToken.emailVerified)
    #expect(!limited.emailVerified)
  }

  @Test(
    arguments: [["app_id": "666"], ["app_id": 666], ["app_id": nil]] as [[String: JSONValue?]])
  func `attack 14: a token of another app is refused, and its profile is never read`(
    debug: [String: JSONValue?]
  ) async throws {
    let facebook = FacebookFixture(debug: debug)

    let error = try await facebook.provider.refusal("accessToken", fields, settings)

    #expect(error.code == .invalidCredential)
    #expect(error.field == "app_id")
    #expect(facebook.vendor.requests(to: FacebookFixture.meURL).isEmpty)
  }

  @Test(
    arguments: [
      ["is_valid": false], ["is_valid": "true"], ["is_valid": nil], ["type": "PAGE"],
      ["user_id": nil], ["user_id": ""], ["user_id": .number(98.5)],
      ["expires_at": .integer(momentSeconds - 1)],
    ] as [[String: JSONValue?]])
  func `a token that is not a person's valid one is refused`(
    debug: [String: JSONValue?]
  ) async throws {
    let error = try await FacebookFixture(debug: debug).provider.refusal(
      "accessToken", fields, settings)

    #expect(error.code == .invalidCredential)
    #expect(error.field == debug.keys.first)
  }

  @Test(arguments: ["98", nil, 98, .number(99.5)] as [JSONValue?])
  func `attack 19: a profile of another person is refused`(id: JSONValue?) async throws {
    let error = try await FacebookFixture(me: ["id": id]).provider.refusal(
      "accessToken", fields, settings)

    #expect(error.code == .invalidCredential)
    #expect(error.step == .profile)
  }

  @Test func `limited login gives the identity of its token, which is marked as used`()
    async throws
  {
    let facebook = FacebookFixture()

    let identity = try await facebook.provider.verify("limitedLogin", limitedLogin(), settings)

    #expect(identity.key == IdentityKey(ProviderID("facebook.com"), subject: "99"))
    #expect(identity.profile.email == "ada@example.com")
    #expect(!identity.uses.isEmpty)
  }

  @Test func `limited login needs no app secret, an access token does`() async throws {
    let settings = ProviderSettings(ProviderID("facebook.com"), ["appID": "4711"])

    _ = try await FacebookFixture().provider.verify("limitedLogin", limitedLogin(), settings)
    let error = try await FacebookFixture().provider.refusal("accessToken", fields, settings)

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "appSecret")
  }

  @Test func `attack 18: limited login with another nonce or none is refused`() async throws {
    let provider = FacebookFixture().provider

    let wrong = try await provider.refusal(
      "limitedLogin", limitedLogin(["nonce": "other"]), settings)
    let none = try await provider.refusal("limitedLogin", limitedLogin(["nonce": nil]), settings)

    #expect([wrong, none].allSatisfy { $0.code == .missingOrInvalidNonce })
  }

  @Test func `attack 14: a limited login token of another app is refused`() async throws {
    let error = try await FacebookFixture().provider.refusal(
      "limitedLogin", limitedLogin(["aud": "666"]), settings)

    #expect(error.field == "aud")
  }

  @Test func `the version of the Graph API is part of every address`() async throws {
    let settings = FacebookFixture.settings(["graphVersion": "v23.0"])

    let url = try await FacebookFixture().provider.authorizationURL(.sample, .test(settings))

    #expect(url.hasPrefix("https://www.facebook.com/v23.0/dialog/oauth?"))
  }

  @Test(arguments: ["19", "v1", "v19.0/../x", ""])
  func `a version of another shape is refused`(version: String) async throws {
    let settings = FacebookFixture.settings(["graphVersion": .string(version)])

    let error = try await FacebookFixture().provider.refusal("accessToken", fields, settings)

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "graphVersion")
  }

  private func limitedLogin(_ changes: [String: JSONValue?] = [:]) -> [String: String] {
    ["idToken": SampleKey.rsa.sign(FacebookFixture.claims(changes)), "nonce": "raw-nonce-51c7"]
  }
}
