import AuthCore
import BuiltInProviders
import Foundation
import Testing

@Suite struct TOTPKeyURITests {
  @Test func `a key URI names issuer, account and parameters`() {
    let uri = TOTPKeyURI(
      issuer: "AuthGraph", account: "ada@example.com", secret: Secret("GEZDGNBVGY3TQOJQ"))

    #expect(
      uri.text.reveal()
        == "otpauth://totp/AuthGraph:ada%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=AuthGraph"
        + "&algorithm=SHA1&digits=6&period=30")
    #expect("\(uri.text)" == "•••")
  }

  @Test(arguments: [
    ("Ada & Söhne, Inc. 100%", "a+b/c?d=e&f#g@example.com"), ("中文 👩‍👩‍👧", "\"q\" <x>"),
    ("issuer=evil&secret=AAAA", "x&secret=BBBB"), ("A: B", "c:d"),
  ])
  func `names with any characters are read back and add nothing`(
    issuer: String, account: String
  ) throws {
    let text = TOTPKeyURI(issuer: issuer, account: account, secret: Secret("gezd gnbv-gy3t qojq"))
      .text.reveal()

    let parts = try #require(URLComponents(string: text))
    let clean = { (name: String) in name.replacing(":", with: " ") }
    #expect(parts.scheme == "otpauth" && parts.host == "totp")
    #expect(parts.path == "/\(clean(issuer)):\(clean(account))")
    #expect(
      parts.queryItems?.map(\.name) == ["secret", "issuer", "algorithm", "digits", "period"])
    #expect(parts.queryItems?.map(\.value).prefix(2) == ["GEZDGNBVGY3TQOJQ", clean(issuer)])
  }

  @Test func `without an issuer the account stands alone`() {
    let uri = TOTPKeyURI(issuer: "", account: "ada", secret: Secret("GEZDGNBVGY3TQOJQ"))

    #expect(uri.text.reveal().hasPrefix("otpauth://totp/ada?secret=GEZDGNBVGY3TQOJQ&algorithm="))
  }
}
