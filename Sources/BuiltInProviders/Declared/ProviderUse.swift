import AuthCore

/// One use of a declared provider, which executes its declaration in a session.
struct ProviderUse {
  let declaration: ProviderDeclaration
  let session: any ProviderSession

  func verify(_ credential: Credential) async throws -> VerifiedIdentity {
    if let verify = declaration.verify { return try await verify(credential, session) }
    switch credential.builder {
    case AuthorizationGrant.builderName: return try await verifyCode(credential)
    case declaration.idToken?.builder: return try await verifyIDToken(credential)
    default:
      // Without the check, another app's operator could sign in with the tokens of its users.
      guard declaration.app != nil else { throw credential.unknownBuilder }
      let token = Secret(try credential.required("accessToken"))
      return try await identity(of: token, VendorAnswer(credential: credential), isExchanged: false)
    }
  }

  private func verifyIDToken(_ credential: Credential) async throws -> VerifiedIdentity {
    let document = try await document(needing: ["keys"])
    let accessToken = credential.optional("accessToken")
    let claims = try await claims(
      try credential.required("idToken"), isExchanged: false, nonce: credential.optional("nonce"),
      accessToken: accessToken, document)
    let answer = VendorAnswer(
      credential: credential, claims: claims, accessToken: accessToken.map { Secret($0) })
    return try await identity(answer, document)
  }

  /// Exchanges a code.
  ///
  /// The nonce of the request is required: without it, a stolen or planted code would be accepted (OpenID Connect Core
  /// 3.1.3.7).
  private func verifyCode(_ credential: Credential) async throws -> VerifiedIdentity {
    let isByToken = declaration.idToken != nil && declaration.app?.includesCodes != true
    if isByToken, sendsNonce { _ = try credential.required("nonce") }
    let document = try await document()
    let client = try client(for: .exchange, document)
    let tokens = try await client.exchange(
      code: try credential.required("code"), redirectURI: try credential.required("redirectURI"),
      codeVerifier: declaration.browser?.usesPKCE(session) == false
        ? nil : credential.optional("codeVerifier"))
    let answer = VendorAnswer(
      credential: credential, accessToken: tokens.accessToken, tokens: tokens)
    guard isByToken else {
      var identity = try await identity(ofExchanged: answer, document)
      identity.vendorTokens = tokens.inbound
      return identity
    }
    guard tokens.idToken != nil else {
      throw AuthError(
        .invalidCredential, "\(declaration.id) gave no ID token for the authorization code.",
        remedy: "Ask for the scope openid.", step: .exchange)
    }
    var identity = try await identity(try await withClaims(answer, document), document)
    identity.vendorTokens = tokens.inbound
    return identity
  }

  /// The identity of an exchanged access token; an ID token that comes too has to be about the same person.
  private func identity(
    ofExchanged answer: VendorAnswer, _ document: DiscoveryDocument?
  ) async throws -> VerifiedIdentity {
    guard let token = answer.accessToken else {
      throw AuthError(
        .invalidCredential, "The vendor gave no access token for the authorization code.",
        remedy: "Sign in with the provider again.", step: .exchange)
    }
    var identity = try await identity(of: token, answer, isExchanged: true)
    guard declaration.idToken != nil, answer.tokens?.idToken != nil else { return identity }
    let claims = try await withClaims(answer, document).claims
    guard let claims, identity.key?.subject.isExactly(claims.subject) == true else {
      throw AuthError(
        .invalidCredential, "The two tokens of \(declaration.id) belong to different people.",
        field: "sub", remedy: "Sign in with the provider again.", step: .token)
    }
    identity.uses += claims.uses
    return identity
  }

  /// Adds the claims of the ID token that came for a code.
  private func withClaims(
    _ answer: VendorAnswer, _ document: DiscoveryDocument?
  ) async throws -> VendorAnswer {
    var answer = answer
    answer.claims = try await claims(
      answer.tokens?.idToken?.reveal() ?? "", isExchanged: true,
      nonce: sendsNonce ? try answer.credential?.required("nonce") : nil,
      accessToken: answer.accessToken?.reveal(), document,
      rule: NonceRule(sendsNonce ? .required : .none, form: .plain))
    return answer
  }

  /// The identity of an access token, which is checked to be our app's unless it came for a code.
  private func identity(
    of token: Secret<String>, _ answer: VendorAnswer, isExchanged: Bool
  ) async throws -> VerifiedIdentity {
    var answer = answer
    answer.accessToken = token
    var subject: String?
    if let app = declaration.app, !isExchanged || app.includesCodes {
      subject = try await app.subject(token, session)
    }
    answer.userInfo = try await userInfo(token, expecting: subject, nil)
    let identity = try await declaration.identity(answer, session)
    guard subject.map({ identity.key?.subject.isExactly($0) == true }) != false else {
      throw AuthError(
        .invalidCredential, "The vendor gave the profile of another subject than the token's.",
        field: "subject", remedy: "Sign in with the provider again.", step: .profile)
    }
    return identity
  }

  /// The identity of verified claims; userinfo is asked if the declaration says so.
  private func identity(
    _ answer: VendorAnswer, _ document: DiscoveryDocument?
  ) async throws -> VerifiedIdentity {
    guard let rule = declaration.idToken, let claims = answer.claims else {
      throw AuthError(.internalError, "The provider \(declaration.id) accepts no ID tokens.")
    }
    var answer = answer
    // Equal subjects of two issuers are two people.
    answer.issuer = try rule.keyIssuer(claims.issuer, session)
    let asks =
      switch declaration.userInfo.asks {
      case .always: true
      case .never: false
      case .ifThin: rule.isThin(answer.profile)
      }
    if asks, let token = answer.accessToken {
      answer.userInfo = try await userInfo(token, expecting: claims.subject, document)
    }
    return try await declaration.identity(answer, session)
  }

  func renew(
    _ refreshToken: Secret<String>, by renewal: Renewal
  ) async throws -> VerifiedIdentity {
    if case .function(let renew) = renewal { return try await renew(refreshToken, session) }
    let document = try await document()
    let tokens = try await client(for: .exchange, document).refresh(refreshToken)
    var answer = VendorAnswer(accessToken: tokens.accessToken, tokens: tokens)
    guard declaration.idToken != nil else {
      return try await identity(ofExchanged: answer, document)
    }
    if let idToken = tokens.idToken {
      // The token comes straight from the vendor and answers no request that has a nonce.
      answer.claims = try await claims(
        idToken.reveal(), isExchanged: true, nonce: nil,
        accessToken: tokens.accessToken?.reveal(), document,
        rule: NonceRule(.ignored, form: .plain))
      return try await identity(answer, document)
    }
    // OpenID Connect Core 12.2: a new ID token is optional.
    guard declaration.userInfo.isStandard, let token = tokens.accessToken,
      let profile = try await userInfo(token, expecting: nil, document)
    else {
      throw AuthError(
        .invalidCredential, "The vendor renewed the sign-in without a subject.",
        remedy: "Sign in with the provider again.", step: .exchange)
    }
    answer.userInfo = profile
    return try await declaration.identity(answer, session)
  }
}
