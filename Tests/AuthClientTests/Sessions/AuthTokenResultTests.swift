import Foundation
import Testing

@testable import AuthClient

@Suite struct AuthTokenResultTests {
  private func token(_ payload: String) -> String {
    let text = Data(payload.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "eyJhbGciOiJSUzI1NiJ9.\(text).SIGNATURE-SECRET"
  }

  private let claims = """
    "iss":"https://example.com","exp":1800003600,"iat":1800000000,"auth_time":1799990000
    """

  @Test func `the claims of a token are read`() throws {
    let text = token(
      """
      {\(claims),"firebase":{"sign_in_provider":"google.com","sign_in_second_factor":"totp",
      "identities":{"google.com":["1"]}},"admin":true,"level":3,"share":0.5,"name":"Ad\u{E5} ÿ?>","none":null}
      """)

    let result = try AuthTokenResult(token: text)

    #expect(result.token == text)
    #expect(result.expirationDate == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(result.issuedAtDate == Date(timeIntervalSince1970: 1_800_000_000))
    #expect(result.authDate == Date(timeIntervalSince1970: 1_799_990_000))
    #expect(result.signInProvider == "google.com")
    #expect(result.signInSecondFactor == "totp")
    #expect(result.claims["admin"] as? Bool == true)
    #expect(result.claims["level"] as? Int == 3)
    #expect(result.claims["share"] as? Double == 0.5)
    #expect(result.claims["name"] as? String == "Ad\u{E5} ÿ?>")
    #expect(result.claims["none"] is NSNull)
    let firebase = try #require(result.claims["firebase"] as? [String: Any])
    #expect(firebase["identities"] as? [String: [String]] == ["google.com": ["1"]])
  }

  @Test func `a sign-in without a second factor has an empty one`() throws {
    let text = token("{\(claims),\"firebase\":{\"sign_in_provider\":\"anonymous\"}}")
    #expect(try AuthTokenResult(token: text).signInSecondFactor == "")
  }

  @Test func `times may have fractions`() throws {
    let text = token(
      #"{"exp":1.5,"iat":0,"auth_time":-1,"firebase":{"sign_in_provider":"custom"}}"#)
    #expect(try AuthTokenResult(token: text).expirationDate == Date(timeIntervalSince1970: 1.5))
  }

  @Test(arguments: [
    "", ".", "..", "...", "a.b", "a.b.c.d", "a.!!!!.c", "a.e30=.c", "a.e30.c", "a.W10.c", "a.e3.c",
    "a.bnVsbA.c", "a. e30.c", "\u{0}.\u{0}.\u{0}",
  ])
  func `a text that is no token is refused`(_ text: String) throws {
    let error = try #require(throws: NSError.self) { try AuthTokenResult(token: text) }

    #expect(error.domain == AuthErrors.domain)
    #expect(error.code == 18_000)
    #expect(error.userInfo["FIRAuthErrorUserInfoDataKey"] is Data)
    #expect(error.userInfo[AuthErrors.userInfoNameKey] as? String == "ERROR_MALFORMED_JWT")
  }

  @Test(arguments: ["exp", "iat", "auth_time", "firebase", "sign_in_provider"])
  func `a token without a required claim is refused, with its payload`(_ claim: String) throws {
    let payload =
      #"{"exp":1,"iat":1,"auth_time":1,"firebase":{"sign_in_provider":"custom"},"nr":7}"#
    let text = token(payload.replacing("\"\(claim)\"", with: "\"other\""))

    let error = try #require(throws: NSError.self) { try AuthTokenResult(token: text) }

    #expect(error.code == AuthErrorCode.malformedJWT.rawValue)
    let data = try #require(error.userInfo["FIRAuthErrorUserInfoDataKey"] as? Data)
    #expect(String(decoding: data, as: UTF8.self).contains(#""nr":7"#))
    #expect(!"\(error.userInfo)".contains("SECRET"))
  }

  @Test func `no token shows in a dump`() throws {
    let result = try AuthTokenResult(
      token: token("{\(claims),\"firebase\":{\"sign_in_provider\":\"custom\"}}"))
    var text = "\(result) \(String(reflecting: result))"
    dump(result, to: &text)
    #expect(!text.contains("SECRET"))
  }
}
