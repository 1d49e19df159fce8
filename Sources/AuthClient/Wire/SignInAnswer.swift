import AuthValues
import Foundation
import IdentityToolkit

/// The answer to a sign-in, a link or a second factor.
struct SignInAnswer: Sendable {
  let tokens: TokenPair
  let additional: AdditionalUserInfo?
  let credential: OAuthCredential?
  /// The uids of accounts absorbed into this one.
  let mergedFrom: [String]

  /// The uid that the tokens belong to.
  var uid: String? { (try? AuthTokenResult(token: tokens.idToken))?.claims["sub"] as? String }

  /// The tenant of the account; nil for the project's own.
  var tenantID: String? {
    let firebase = (try? AuthTokenResult(token: tokens.idToken))?.claims["firebase"]
    return (firebase as? [String: Any])?["tenant"] as? String
  }

  /// Reads an answer with tokens; throws `invalidUserToken` if there are none.
  init(
    _ fields: WireFields, additional: AdditionalUserInfo? = nil,
    credential: OAuthCredential? = nil, now: Date
  ) throws {
    guard let tokens = TokenPair(fields, now: now) else {
      throw NSError.auth(.invalidUserToken, message: "The server's answer has no tokens.")
    }
    self.tokens = tokens
    self.additional = additional
    self.credential = credential
    mergedFrom = (try? fields.texts("mergedFrom")) ?? []
  }
}

extension TokenPair {
  /// Reads the tokens of an answer; nil if there are none.
  init?(_ fields: WireFields, now: Date) {
    guard let idToken = fields.string("idToken"), let refresh = fields.string("refreshToken")
    else { return nil }
    let seconds = fields.string("expiresIn").flatMap(Double.init)
    self.init(
      idToken: idToken, refreshToken: refresh,
      // Answers about second factors contain no lifetime; the token itself does.
      expiresAt: seconds.map { now.addingTimeInterval($0) }
        ?? (try? AuthTokenResult(token: idToken).expirationDate) ?? now)
  }
}
