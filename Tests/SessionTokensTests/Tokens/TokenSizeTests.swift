import AuthTesting
import Testing

@testable import AuthCore
@testable import SessionTokens

/// No token is issued that no server would accept.
@Suite struct TokenSizeTests {
  /// Makes an account as large as possible: its texts have many escapes, or many bytes a character.
  private func largest(_ account: inout Account) throws {
    account.displayName = String(repeating: "\u{1}", count: 256)
    account.photoURL = "https://x.example/" + String(repeating: "\\", count: 2000)
    account.customClaims = try CustomClaims(
      text: "{\"a\":\"" + String(repeating: "語", count: 900) + "\"}")
    account.email = try EmailAddress(String(repeating: "e", count: 240) + "@example.com")
    var number = 0
    while account.identities.count < Account.maximumIdentities {
      let key = IdentityKey(
        ProviderID("oidc.\(number)"), subject: "\(number)" + String(repeating: "\"", count: 250))
      account.identities.append(
        Identity(key: key, origin: .imported, linkedAt: account.createdAt))
      guard account.excess() == nil else {
        account.identities.removeLast()
        break
      }
      number += 1
    }
  }

  @Test(arguments: [TokenService.Style.unsigned, .signed(.es256), .signed(.rs256)])
  func `S5 the largest account with the largest session gets a token that is taken`(
    style: TokenService.Style
  ) async throws {
    let home = TokenHome(style)
    let account = try await home.account(String(repeating: "語", count: 128)) {
      try largest(&$0)
    }
    #expect(account.excess() == nil)
    let session: JSONValue = [
      "b": .string(String(repeating: "語", count: 900)),
      "mergedFrom": [.string(String(repeating: "語", count: 128))],
      "firebase": ["sign_in_attributes": ["c": .string(String(repeating: "x", count: 8000))]],
    ]

    let tokens = try await home.issue(account, claims: session)

    let token = try await home.verify(tokens.idToken.reveal())
    #expect(token.account == account.id)
    #expect(token.claims["a"]?.stringValue?.count == 900)
    #expect(token.claims["b"]?.stringValue?.count == 900)
    let cookie = try await home.tokens.sessionCookie(for: token, lifetime: 3600)
    #expect(
      try await home.tokens.verify(sessionCookie: cookie.reveal(), project: "demo-shop").account
        == account.id)
  }

  @Test(arguments: [TokenService.Style.unsigned, .signed(.es256)])
  func `S5 an account of before there were bounds is refused its token, with a remedy`(
    style: TokenService.Style
  ) async throws {
    let home = TokenHome(style)
    let account = try await home.account {
      $0.displayName = String(repeating: "x", count: 64 << 10)
    }
    do {
      _ = try await home.issue(account)
      Issue.record("a token was given that nobody takes")
    } catch let error as AuthError {
      #expect(error.code == .claimsTooLarge)
      #expect(error.remedy?.isEmpty == false)
    }
  }
}
