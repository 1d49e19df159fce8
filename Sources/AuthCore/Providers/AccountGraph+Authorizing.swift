/// A browser sign-in that has begun.
public struct Authorization: Sendable {
  /// The URL to open in the browser.
  public let url: String
  /// The state parameter, which returns with the callback and identifies the sign-in.
  public let state: String
  /// The time until which the callback is accepted.
  public let expiresAt: Timestamp
}

/// The credential of a verified callback.
public struct AuthorizedCredential: Sendable {
  /// The credential, to sign in with or to link.
  public let credential: Credential
  /// The account that the credential may be linked to; nil for a sign-in.
  public let account: AccountID?
}

/// The data of a browser sign-in that is under way.
struct OpenAuthorization: Codable {
  let provider: ProviderID
  let redirectURI: String
  /// The browser session that began it.
  let session: String
  let account: AccountID?
  let nonce: String
  let codeVerifier: String
  /// The version of the plug-in that began it, which also has to finish it.
  var version: String?
  /// The provider's setup when it began.
  var setup: String?

  static func purpose(_ state: String) -> String { "authorization \(state)" }
}

extension AccountGraph {
  /// Begins a sign-in, or a link, at a provider's vendor.
  ///
  /// The session is any text that distinguishes browsers. It has to be the same at the end, so that a sign-in cannot be
  /// finished in another browser. Throws `operation-not-allowed` if the provider has no such flow or is not configured,
  /// or if the caller may not link to the account.
  public func beginAuthorization(
    _ provider: ProviderID, redirectURI: String, session: String, account: AccountID? = nil,
    scopes: [String] = [], parameters: [String: String] = [:], by caller: Caller
  ) async throws -> Authorization {
    try caller.cannotRehearse("A browser's sign-in")
    let flow = try flow(providers.provider(provider))
    let settings = try await allowed(provider, by: caller)
    try Self.mayLink(account, caller)
    try TextBounds.session.check(session, "A session's ID", field: "sessionId")
    try TextBounds.continueURL.check(redirectURI, "A redirect URI", field: "redirectURI")
    guard redirectURI.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:./) != nil,
      !redirectURI.contains("#")
    else {
      throw AuthError(
        .invalidArgument, "The redirect URI has to be absolute and without a fragment.",
        field: "redirectURI",
        remedy: "Write it as it is registered at the vendor, such as https://app.example/callback.",
        step: .state)
    }
    let state = RandomText.handle(random)
    let open = OpenAuthorization(
      provider: provider, redirectURI: redirectURI, session: session, account: account,
      nonce: RandomText.handle(random), codeVerifier: RandomText.handle(random),
      version: flow.manifest.version, setup: settings.setup(of: provider))
    let now = clock()
    let expiresAt = now.adding(seconds: AuthorizationGrant.lifetime)
    let url = try await flow.authorizationURL(
      AuthorizationGrant(
        state: state, nonce: open.nonce, codeVerifier: Secret(open.codeVerifier),
        redirectURI: redirectURI, scopes: scopes, parameters: parameters),
      try await context(for: provider, in: caller.scope))
    let sealed = try services.quietSecrets.seal(
      try JSONText.encode(open), for: OpenAuthorization.purpose(state))
    let record = OneTimeRecord(
      id: state, kind: .authorization, account: account, expiresAt: expiresAt, content: sealed)
    try await store.write { writer in
      try writer.requireTenant(caller.scope)
      try writer.save(record, in: caller.scope)
    }
    return Authorization(url: url, state: state, expiresAt: expiresAt)
  }

  /// Checks a vendor's callback, and makes its credential.
  ///
  /// The state is used up even if the callback is refused. Throws `invalid-credential` with the step `state` for an
  /// unknown or expired state, for another provider, browser session, redirect URI or issuer (RFC 9207) than at the
  /// beginning, or for the vendor's own refusal.
  public func finishAuthorization(
    _ provider: ProviderID, callback: [String: String], redirectURI: String, session: String,
    by caller: Caller
  ) async throws -> AuthorizedCredential {
    try caller.cannotRehearse("A browser's sign-in")
    _ = try providers.provider(provider)
    let open = try await takeAuthorization(callback["state"] ?? "", in: caller.scope)
    guard open.provider == provider else {
      throw AuthError.refusedCallback("it began at another provider")
    }
    guard open.session.equalsInConstantTime(session) else {
      throw AuthError.refusedCallback("it began in another session")
    }
    guard open.redirectURI == redirectURI else {
      throw AuthError.refusedCallback("it came back to another address")
    }
    if let account = open.account {
      try Self.mayLink(account, caller)
    }
    // The provider may have been closed while the sign-in was under way.
    let settings = try await allowed(provider, by: caller)
    guard open.setup == nil || open.setup == settings.setup(of: provider) else {
      throw AuthError.refusedCallback("the provider was set up otherwise meanwhile")
    }
    let flow = try flow(providers.provider(provider, version: open.version))
    let issuer = try await flow.callbackIssuer(try await context(for: provider, in: caller.scope))
    if let named = callback["iss"] {
      guard issuer.issuer == nil || named == issuer.issuer else {
        throw AuthError.refusedCallback("another issuer answered", field: "iss")
      }
    } else if issuer.isRequired {
      throw AuthError.refusedCallback("the issuer did not name itself", field: "iss")
    }
    if let refusal = callback["error"] {
      throw AuthError.refusedCallback("the vendor says \(Self.shown(refusal))", field: "error")
    }
    let taken = try flow.credentialFields(from: callback)
    let credential = Credential(
      provider: provider, builder: AuthorizationGrant.builderName,
      fields: taken.merging([
        "redirectURI": redirectURI, "codeVerifier": open.codeVerifier, "nonce": open.nonce,
      ]) { _, own in own }, boundAccount: open.account, providerVersion: open.version)
    return AuthorizedCredential(credential: credential, account: open.account)
  }

  private func flow(
    _ provider: any AuthProvider
  ) throws(AuthError) -> any AuthorizationFlow {
    guard let flow = provider as? any AuthorizationFlow else {
      throw .noBrowserFlow(provider.id)
    }
    return flow
  }

  private static func mayLink(_ account: AccountID?, _ caller: Caller) throws(AuthError) {
    guard let account, !caller.isAdmin else { return }
    guard case .session(account, _, _, _) = caller.authority else {
      throw AuthError.refusedCallback("only the account's own session may link to it")
    }
  }

  /// Removes and returns the data of a state, so that it works for one callback.
  private func takeAuthorization(
    _ state: String, in scope: Scope
  ) async throws -> OpenAuthorization {
    let now = clock()
    let record = try await store.write { writer -> OneTimeRecord? in
      guard let record = try writer.oneTimeRecord(state, in: scope),
        record.kind == .authorization
      else { return nil }
      try writer.removeOneTimeRecord(state, in: scope)
      return record
    }
    guard let record, record.expiresAt > now else {
      throw AuthError.refusedCallback("its state is unknown, used or too old", field: "state")
    }
    return try JSONText.decode(
      OpenAuthorization.self,
      try services.quietSecrets.open(record.content, for: OpenAuthorization.purpose(state)))
  }

  /// Returns a vendor's error code if it is a short word; other text is not repeated.
  private static func shown(_ code: String) -> String {
    let isWord = code.utf8.count <= 60 && code.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isWord ? code : "no"
  }
}
