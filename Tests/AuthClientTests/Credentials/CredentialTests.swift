import Foundation
import Testing

@testable import AuthClient

/// Credentials as values.
@Suite struct CredentialTests {
  @Test func `the providers have the IDs of the protocol`() {
    #expect(EmailAuthProvider.id == "password")
    #expect(GoogleAuthProvider.id == "google.com")
    #expect(FacebookAuthProvider.id == "facebook.com")
    #expect(TwitterAuthProvider.id == "twitter.com")
    #expect(GitHubAuthProvider.id == "github.com")
    #expect(GameCenterAuthProvider.id == "gc.apple.com")
    #expect(PlayGamesAuthProvider.id == "playgames.google.com")
    #expect(OAuthProvider.id == "OAuth")
    let names: [AuthProviderID] = [
      .apple, .email, .facebook, .gameCenter, .gitHub, .google, .phone, .custom("a.example"),
    ]
    #expect(
      names.map(\.rawValue) == [
        "apple.com", "password", "facebook.com", "gc.apple.com", "github.com", "google.com",
        "phone", "a.example",
      ])
  }

  @Test func `a credential names its provider`() {
    let email = EmailAuthProvider.credential(withEmail: "a@example.com", password: "p")
    #expect(email.provider == "password")
    #expect(
      OAuthProvider.appleCredential(withIDToken: "i", rawNonce: nil, fullName: nil).provider
        == "apple.com")
    #expect(PhoneAuthCredential(verificationID: "v", verificationCode: "1").provider == "phone")
  }

  @Test func `fields of passwords, links and phones make their credentials`() {
    #expect(
      AuthCredential(
        provider: "password", fields: ["email": "a@example.com", "password": "p"]
      ).content == .password(email: "a@example.com", password: "p"))
    #expect(
      AuthCredential(
        provider: "password", fields: ["email": "a@example.com", "link": "https://l"]
      ).content == .emailLink(email: "a@example.com", link: "https://l"))
    #expect(
      AuthCredential(
        provider: "phone", fields: ["verificationID": "v", "verificationCode": "1"]
      ).content == .phoneCode(verificationID: "v", code: "1"))
    #expect(
      AuthCredential(
        provider: "phone", fields: ["phoneNumber": "+1", "temporaryProof": "t"]
      ).content == .phoneProof(number: "+1", proof: "t"))
  }

  /// A credential of each kind.
  ///
  /// Every secret value contains the word `s3cret`.
  static let all: [AuthCredential] = [
    EmailAuthProvider.credential(withEmail: "a@example.com", password: "s3cret"),
    EmailAuthProvider.credential(
      withEmail: "a@example.com", link: "https://l.example/?oobCode=s3cret"),
    GoogleAuthProvider.credential(withIDToken: "s3cret", accessToken: "s3cret"),
    FacebookAuthProvider.credential(withAccessToken: "s3cret"),
    TwitterAuthProvider.credential(withToken: "s3cret", secret: "s3cret"),
    GitHubAuthProvider.credential(withToken: "s3cret"),
    OAuthProvider.appleCredential(withIDToken: "s3cret", rawNonce: "s3cret", fullName: nil),
    AuthCredential(provider: "a.example", fields: ["ticket": "s3cret"]),
    PhoneAuthCredential(verificationID: "v", verificationCode: "s3cret"),
    PhoneAuthCredential(phoneNumber: "+15555550100", temporaryProof: "s3cret"),
  ]

  @Test(arguments: all)
  func `no secret prints`(credential: AuthCredential) {
    var dumped = ""
    dump(credential, to: &dumped)
    let printed = [
      "\(credential)", String(reflecting: credential), credential.description,
      credential.debugDescription, dumped, "\(Optional(credential) as Any)", "\([credential])",
      "\(NSError.auth(.credentialAlreadyInUse, updatedCredential: credential))",
      String(reflecting: NSError.auth(.credentialAlreadyInUse, updatedCredential: credential)),
    ]

    for text in printed { #expect(!text.contains("s3cret")) }
    #expect(credential.description == "\(credential.provider) credential")
  }

  @Test func `credentials with the same content are equal`() {
    let one = EmailAuthProvider.credential(withEmail: "a@example.com", password: "p")
    let same = EmailAuthProvider.credential(withEmail: "a@example.com", password: "p")
    let other = EmailAuthProvider.credential(withEmail: "a@example.com", password: "q")

    #expect(one == same)
    #expect(one.hash == same.hash)
    #expect(one != other)
    #expect(!one.isEqual("a@example.com"))
    #expect(Set(Self.all + Self.all).count == Self.all.count)
  }

  @Test func `asking GameKit is refused with its own code`() async {
    await #expect(throws: (any Error).self) { try await GameCenterAuthProvider.getCredential() }
    do { _ = try await GameCenterAuthProvider.getCredential() } catch {
      #expect(AuthErrorCode(error) == .gameKitNotLinked)
    }
  }
}
