import AuthCore
import IdentityToolkit
import SessionTokens

/// The account whose ID token came with a request.
struct SignedIn: Sendable {
  let account: Account
  let token: IDToken
  /// The identity that the session began with; nil if it hangs on none.
  let identity: IdentityKey?
  let caller: Caller
}

extension Call {
  /// The account of the body's ID token.
  ///
  /// Throws `MISSING_ID_TOKEN` (or what is given instead), `INVALID_ID_TOKEN`, `TENANT_ID_MISMATCH`,
  /// `USER_NOT_FOUND`, `TOKEN_EXPIRED` or `USER_DISABLED`.
  func signedIn(missing: String = "MISSING_ID_TOKEN") async throws -> SignedIn {
    guard let text = try body.filled("idToken") else { throw WireError(missing) }
    return try await signedIn(by: text)
  }

  /// The account of the body's ID token, or nil if none was sent.
  ///
  /// Throws `INVALID_ID_TOKEN` for an empty one: its sender meant to link, not to open an account.
  func signedInIfAny() async throws -> SignedIn? {
    guard let text = try body.text("idToken") else { return nil }
    return try await signedIn(by: text)
  }

  /// The account of an ID token, checked like that of the body's.
  func signedIn(by text: String) async throws -> SignedIn {
    let token: IDToken
    do {
      if let idToken, idToken.text == text {
        token = try await services.tokens.verify(idToken, project: project)
      } else {
        token = try await services.tokens.verify(idToken: text, project: project)
      }
    } catch let error as AuthError {
      throw WireError(error.code == .userTokenExpired ? "TOKEN_EXPIRED" : "INVALID_ID_TOKEN")
    }
    if token.tenant != tenant {
      throw tenant == nil
        ? WireError("((Parsed token that belongs to tenant in a non-tenant project.))")
        : WireError("TENANT_ID_MISMATCH")
    }
    guard let account = try await graph.account(token.account, in: scope),
      account.id == token.account
    else { throw WireError("USER_NOT_FOUND") }
    // To shut an account out ends its sessions, too; clients are told what they can act on.
    guard !account.disabled else { throw WireError("USER_DISABLED") }
    if let validSince = account.validSince, behavior.isOver(token, since: validSince) {
      throw WireError("TOKEN_EXPIRED")
    }
    let identity: IdentityKey?
    switch behavior.standing(of: token, on: account) {
    case .identity(let key): identity = key
    case .account: identity = nil
    case .ended: throw WireError("TOKEN_EXPIRED")
    }
    var caller = token.caller(identity)
    caller.scope = scope
    caller.client = client
    return SignedIn(account: account, token: token, identity: identity, caller: caller)
  }
}
