import Foundation
import Testing

@testable import AuthClient

/// Links of e-mails.
@Suite struct ActionCodeURLTests {
  static let link =
    "https://auth.example.com/__/auth/action?mode=signIn&lang=de&oobCode=aB-_9&apiKey=k3y"
    + "&continueUrl=https%3A%2F%2Fapp.example.com%2Fdone%3Fa%3D1%26b%3Dx%252By"

  @Test func `a link is taken apart`() throws {
    let url = try #require(ActionCodeURL(link: Self.link))

    #expect(url.apiKey == "k3y")
    #expect(url.code == "aB-_9")
    #expect(url.languageCode == "de")
    #expect(url.operation == .emailLink)
    #expect(url.continueURL?.absoluteString == "https://app.example.com/done?a=1&b=x%2By")
  }

  @Test func `a missing part of a link is nil`() throws {
    let url = try #require(ActionCodeURL(link: "https://a.example/?x"))

    #expect(url.apiKey == nil)
    #expect(url.code == nil)
    #expect(url.languageCode == nil)
    #expect(url.continueURL == nil)
    #expect(url.operation == .unknown)
  }

  @Test(arguments: ["", "https://a.example/", "https://a.example/?", "no link", "a?#oobCode=1"])
  func `a text without a query is no link`(text: String) {
    #expect(ActionCodeURL(link: text) == nil)
  }

  @Test(arguments: ["link", "deep_link_id"])
  func `a link within a link is found`(name: String) throws {
    func wrapped(_ link: String) throws -> String {
      let allowed = CharacterSet.alphanumerics
      let inner = try #require(link.addingPercentEncoding(withAllowedCharacters: allowed))
      return "https://short.example/?apn=a.b&\(name)=\(inner)"
    }
    let once = try #require(ActionCodeURL(link: try wrapped(Self.link)))
    #expect(once.code == "aB-_9")
    #expect(once.operation == .emailLink)
    let twice = try #require(ActionCodeURL(link: try wrapped(try wrapped(Self.link))))
    #expect(twice.code == "aB-_9")
    var deep = Self.link
    for _ in 0..<6 { deep = try wrapped(deep) }
    #expect(ActionCodeURL(link: deep)?.code == nil)
  }

  @Test(arguments: [
    ("resetPassword", "PASSWORD_RESET", ActionCodeOperation.passwordReset),
    ("verifyEmail", "VERIFY_EMAIL", .verifyEmail),
    ("recoverEmail", "RECOVER_EMAIL", .recoverEmail),
    ("signIn", "EMAIL_SIGNIN", .emailLink),
    ("verifyAndChangeEmail", "VERIFY_AND_CHANGE_EMAIL", .verifyAndChangeEmail),
    ("revertSecondFactorAddition", "REVERT_SECOND_FACTOR_ADDITION", .revertSecondFactorAddition),
  ])
  func `an operation is known by a link's word and by a server's`(
    mode: String, requestType: String, operation: ActionCodeOperation
  ) {
    #expect(ActionCodeURL(link: "https://a.example/?mode=\(mode)")?.operation == operation)
    #expect(ActionCodeOperation(wire: requestType) == operation)
  }

  @Test func `operations have the numbers of the Apple SDK`() {
    #expect(
      ActionCodeOperation.allCases == [
        .unknown, .passwordReset, .verifyEmail, .recoverEmail, .emailLink, .verifyAndChangeEmail,
        .revertSecondFactorAddition,
      ])
    #expect(ActionCodeOperation.allCases.map(\.rawValue) == Array(0...6))
    #expect(ActionCodeOperation(wire: "other") == .unknown)
    #expect(ActionCodeOperation(wire: nil) == .unknown)
  }

  @Test func `a sign-in link's code is cut out`() throws {
    #expect(try EmailAuthProvider.signInCode(of: Self.link) == "aB-_9")
  }

  @Test(arguments: ["", "https://a.example/", "https://a.example/?mode=signIn", "?oobCode="])
  func `a link without a code is refused without a trap`(link: String) {
    do {
      _ = try EmailAuthProvider.signInCode(of: link)
      Issue.record("A code was found.")
    } catch {
      #expect(AuthErrorCode(error) == .invalidActionCode)
    }
  }

  @Test func `a link's code does not print`() throws {
    let url = try #require(ActionCodeURL(link: Self.link))
    var dumped = ""
    dump(url, to: &dumped)

    for text in ["\(url)", String(reflecting: url), dumped] {
      #expect(!text.contains("aB-_9"))
    }
  }

  @Test func `an information has both addresses if they change`() {
    let change = ActionCodeInfo(
      requestType: "VERIFY_AND_CHANGE_EMAIL", email: "old@example.com", newEmail: "new@example.com")
    #expect(change.operation == .verifyAndChangeEmail)
    #expect(change.email == "new@example.com")
    #expect(change.previousEmail == "old@example.com")

    let plain = ActionCodeInfo(requestType: "VERIFY_EMAIL", email: "a@example.com", newEmail: nil)
    #expect(plain.email == "a@example.com")
    #expect(plain.previousEmail == nil)
    #expect(ActionCodeInfo(requestType: nil, email: nil, newEmail: "").email.isEmpty)
  }
}
