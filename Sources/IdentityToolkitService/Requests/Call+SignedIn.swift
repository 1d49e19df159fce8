import AuthCore
import IdentityToolkit
import SessionTokens

/// The account whose ID token came with a request.
struct SignedIn: Sendable {
  let account: Account
  let token: IDToken
  /// The identity that the session began with; nil if the session depends on none.
  let identity: IdentityKey?
  var caller: Caller
}

extension Call {
  /// Returns the account of the body's ID token.
  ///
  /// Throws `MISSING_ID_TOKEN` (or the code given as `missing`), `INVALID_ID_TOKEN`, `TENANT_ID_MISMATCH`,
  /// `USER_NOT_FOUND`, `TOKEN_EXPIRED` or `USER_DISABLED`.
  func signedIn(missing: String = "MISSING_ID_TOKEN") async throws -> SignedIn {
    guard let text = try body.filled("idToken") else { throw WireError(missing) }
    return try await signedIn(by: text)
  }

  /// Returns the account of the body's ID token, or nil if none was sent.
  ///
  /// Throws `INVALID_ID_TOKEN` for an empty one: its sender meant to link, not to open an account.
  func signedInIfAny() async throws -> SignedIn? {
    guard let text = try body.text("idToken") else { return nil }
    return try await signedIn(by: text)
  }

  /// Changes the account of the body's ID token, if there is one, by a change that is based on the account as last
  /// seen.
  ///
  /// The change's transaction compares revisions. If the account has changed, the change is made again. If the change
  /// fails for another reason, an ended session takes precedence as the error.
  func changingSignedIn<Result>(
    _ change: (SignedIn?) async throws -> Result
  ) async throws -> Result {
    guard var seen = try await signedInAsLastSeen() else { return try await change(nil) }
    seen.caller.account = seen.account
    do {
      return try await change(seen)
    } catch let error as AuthError where error.code == .unsureCommit {
      // The change may have been committed, so it is not made again.
      throw error
    } catch {
      let current = try await signedInIfAny()
      guard current?.account != seen.account else { throw error }
      return try await change(current)
    }
  }

  /// Returns the account of the body's ID token as last seen, or nil if no token was sent.
  ///
  /// For operations that the rules decide in a transaction. If that fails, the caller checks the session again.
  func signedInAsLastSeen() async throws -> SignedIn? {
    guard let text = try body.text("idToken") else { return nil }
    let token = try await idToken(text)
    if let account = graph.accountAsLastSeen(token.account, in: scope),
      let seen = try? signedIn(by: token, to: account)
    {
      return seen
    }
    return try await current(token)
  }

  /// Returns the account of an ID token, checked like the one in the body.
  func signedIn(by text: String) async throws -> SignedIn {
    try await current(idToken(text))
  }

  /// Returns the account that the body's ID token names, also after the end of the token's session.
  func accountOfToken() async throws -> Account? {
    guard let text = try body.filled("idToken") else { return nil }
    let token = try await idToken(text)
    let account = try await graph.account(token.account, in: scope)
    return account?.id == token.account ? account : nil
  }

  /// Returns the account of an ID token as it is now.
  private func current(_ token: IDToken) async throws -> SignedIn {
    guard let account = try await graph.account(token.account, in: scope),
      account.id == token.account
    else { throw WireError("USER_NOT_FOUND") }
    return try signedIn(by: token, to: account)
  }

  /// Verifies an ID token of this scope, signed by this project.
  private func idToken(_ text: String) async throws -> IDToken {
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
    return token
  }

  /// Returns the session of a token, based on the account as it is now.
  ///
  /// Throws if the session is over.
  private func signedIn(by token: IDToken, to account: Account) throws(WireError) -> SignedIn {
    // Disabling an account ends its sessions too. `USER_DISABLED` is the error that clients can act on.
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
