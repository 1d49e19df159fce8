import AuthValues
import Testing

@testable import Conformance

@Suite struct `Secrets in failures` {
  private let mask = SecretMask(
    ConformanceTarget(
      url: "http://127.0.0.1:1", mode: .production, project: "p",
      key: Secret("an-api-key-of-an-app"),
      adminToken: Secret("agadm_0123456789abcdef"), isPrivate: true))

  @Test func `members with secrets are masked at every depth, in every spelling`() {
    for name in [
      "password", "newPassword", "new_password", "idToken", "id_token", "refresh_token",
      "passwordHash", "sessionCookie", "clientSecret", "sharedSecretKey", "mfaPendingCredential",
    ] {
      let value: JSONValue = ["users": [[name: "the secret", "email": "a@example.com"]]]
      let text = mask.masked(value).text
      #expect(!text.contains("the secret") && text.contains("a@example.com"), "\(name)")
    }
  }

  @Test func `an empty secret and one of another type stay, because they explain a failure`() {
    let value: JSONValue = ["idToken": "", "password": 7, "refreshToken": .null]
    #expect(mask.masked(value) == value)
  }

  @Test func `tokens, keys and the target's own secrets are masked in texts`() {
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1aWQtMSJ9.c2lnbmF0dXJl"
    #expect(mask.masked("POST /v1/a?key=abc&x=1") == "POST /v1/a?key=•••&x=1")
    #expect(mask.masked("seen \(token) here") == "seen ••• here")
    #expect(mask.masked("Bearer agadm_0123456789abcdef") == "Bearer •••")
    #expect(mask.masked("an-api-key-of-an-app") == "•••")
  }

  @Test func `the value at a place is masked by the name of the place`() {
    #expect(mask.masked("abc", at: "users[0].passwordHash") == "•••")
    #expect(mask.masked("abc", at: "users[0].email") == "abc")
  }
}
