import Foundation
import Testing

@testable import AuthClient

/// Credentials restored from archives.
@Suite struct ArchiveTests {
  private func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
  }

  @Test func `an OAuth credential comes back whole, its provider included`() throws {
    var name = PersonNameComponents()
    name.givenName = "Ada"
    let apple = OAuthProvider.appleCredential(withIDToken: "i", rawNonce: "n", fullName: name)
    let twitter = OAuthCredential(
      provider: "twitter.com",
      values: FederatedValues(accessToken: "a", secret: "s", pendingToken: "p"))

    for credential in [apple, twitter] {
      let back = try #require(try archived(credential))
      #expect(back == credential)
      #expect(back.provider == credential.provider)
      #expect(back.content == credential.content)
    }
  }

  @Test func `a phone's credential comes back whole`() throws {
    for credential in [
      PhoneAuthCredential(verificationID: "v", verificationCode: "123456"),
      PhoneAuthCredential(phoneNumber: "+15555550100", temporaryProof: "t"),
    ] {
      #expect(try archived(credential) == credential)
    }
  }
}
