import AuthCore
import Foundation
import IdentityToolkit
import Testing

@testable import AuthClient

/// The requests of identity providers' credentials, byte for byte.
@Suite struct PostBodyTests {
  private func members(_ credential: AuthCredential) -> [String: JSONValue] {
    guard case .federated(let values) = credential.content else { return [:] }
    return values.requestMembers(provider: credential.provider)
  }

  private func expect(
    _ credential: AuthCredential, sends postBody: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      members(credential)
        == ["requestUri": "http://localhost", "postBody": .string(postBody)],
      sourceLocation: location)
  }

  @Test func `Google's has an ID token and an access token`() {
    expect(
      GoogleAuthProvider.credential(withIDToken: "a.b-c_d", accessToken: "ya29/x+y=&"),
      sends: "providerId=google.com&id_token=a.b-c_d&access_token=ya29%2Fx%2By%3D%26")
    expect(
      GoogleAuthProvider.credential(withIDToken: "a.b.c", accessToken: ""),
      sends: "providerId=google.com&id_token=a.b.c")
  }

  @Test func `Facebook's and GitHub's have an access token`() {
    expect(
      FacebookAuthProvider.credential(withAccessToken: "EAAB"),
      sends: "providerId=facebook.com&access_token=EAAB")
    expect(
      GitHubAuthProvider.credential(withToken: "gho_1"),
      sends: "providerId=github.com&access_token=gho_1")
  }

  @Test func `Twitter's has a token and its secret`() {
    expect(
      TwitterAuthProvider.credential(withToken: "t", secret: "s"),
      sends: "providerId=twitter.com&access_token=t&oauth_token_secret=s")
  }

  @Test func `Any provider's has its given tokens`() {
    expect(
      OAuthProvider.credential(providerID: .custom("oidc.example"), idToken: "i"),
      sends: "providerId=oidc.example&id_token=i")
    expect(
      OAuthProvider.credential(
        providerID: .facebook, idToken: "i", rawNonce: "n", accessToken: "a"),
      sends: "providerId=facebook.com&id_token=i&nonce=n&access_token=a")
    expect(
      OAuthProvider.credential(providerID: .gitHub, accessToken: "a"),
      sends: "providerId=github.com&access_token=a")
  }

  @Test func `Apple's has the name that Apple tells once`() {
    var name = PersonNameComponents()
    name.givenName = "Ada"
    name.familyName = "Lovelace"
    expect(
      OAuthProvider.appleCredential(withIDToken: "i", rawNonce: "n", fullName: name),
      sends: "providerId=apple.com&id_token=i&nonce=n&user="
        + "%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%2C%22lastName%22%3A%22Lovelace%22%7D%7D")
    expect(
      OAuthProvider.appleCredential(
        withIDToken: "i", rawNonce: nil, fullName: PersonNameComponents()),
      sends: "providerId=apple.com&id_token=i")
  }

  @Test func `a plug-in's has the fields of its builder`() {
    expect(
      AuthCredential(provider: "discord.com", fields: ["accessToken": "a"]),
      sends: "providerId=discord.com&access_token=a")
    expect(
      AuthCredential(
        provider: "vk.com",
        fields: ["redirectURI": "https://a.example/?b", "code": "c", "codeVerifier": "v"]),
      sends: "providerId=vk.com&code=c&codeVerifier=v&redirectURI=https%3A%2F%2Fa.example%2F%3Fb")
    expect(
      AuthCredential(
        provider: "line.me", fields: ["idToken": "i", "nonce": "n", "secret": "s"]),
      sends: "providerId=line.me&id_token=i&nonce=n&oauth_token_secret=s&secret=s")
    expect(
      AuthCredential(
        provider: "apple.com", fields: ["idToken": "i", "fullName": "Ada Lovelace"]),
      sends: "providerId=apple.com&id_token=i&user=Ada%20Lovelace")
  }

  @Test func `a field cannot pass itself off as the provider or a token`() {
    expect(
      AuthCredential(
        provider: "a.example",
        fields: ["providerId": "b.example", "id_token": "forged", "idToken": "i"]),
      sends: "providerId=a.example&id_token=i")
  }

  @Test func `an answer's credential is sent with its pending token`() throws {
    let answer = try WireFields([
      "oauthIdToken": "i", "oauthAccessToken": "a", "nonce": "n", "pendingToken": "p",
    ])
    let credential = try #require(
      OAuthCredential(provider: "google.com", answer: answer))

    #expect(credential.idToken == "i")
    #expect(credential.accessToken == "a")
    #expect(credential.secret == nil)
    #expect(
      members(credential) == [
        "requestUri": "http://localhost", "pendingToken": "p",
        "postBody": "providerId=google.com&id_token=i&nonce=n&access_token=a",
      ])
  }

  @Test func `an answer with a pending token alone has a credential too`() throws {
    let credential = try #require(
      OAuthCredential(
        provider: "a.example", answer: try WireFields(["pendingToken": "p"])))

    #expect(
      members(credential) == [
        "requestUri": "http://localhost", "postBody": "providerId=a.example", "pendingToken": "p",
      ])
  }

  @Test(
    arguments: [
      [:], ["oauthIdToken": "", "oauthAccessToken": .null], ["nonce": "n"], ["oauthIdToken": [:]],
    ] as [JSONValue])
  func `an answer without tokens has no credential`(body: JSONValue) throws {
    #expect(
      OAuthCredential(provider: "google.com", answer: try WireFields(body)) == nil)
  }

  @Test func `a Game Center credential has the names of its operation`() throws {
    let credential = GameCenterAuthProvider.credential(
      GameCenterPlayer(teamPlayerID: "T:_1", playerID: "G:1", displayName: "Ada"),
      publicKeyURL: try #require(URL(string: "https://static.gc.apple.com/public-key/gc.cer")),
      signature: Data([251, 255]), salt: Data([1]), timestamp: 1_460_981_421_303)

    guard case .federated(let values) = credential.content else {
      Issue.record("The content is of another kind.")
      return
    }
    #expect(credential.provider == "gc.apple.com")
    #expect(
      GameCenterAuthProvider.requestMembers(values) == [
        "teamPlayerId": "T:_1", "playerId": "G:1", "displayName": "Ada",
        "publicKeyUrl": "https://static.gc.apple.com/public-key/gc.cer", "signature": "+/8=",
        "salt": "AQ==", "timestamp": "1460981421303",
      ])
  }

  @Test func `a Play Games credential is a code without a state`() {
    expect(
      PlayGamesAuthProvider.credential(serverAuthCode: "4/c"),
      sends: "providerId=playgames.google.com&code=4%2Fc")
  }
}
