import AuthCore
import BuiltInProviders

/// The declaration of the file as a value of the engine, with closures that call the file's functions.
extension LoadedPlugin {
  var declared: ProviderDeclaration {
    var declared = ProviderDeclaration(declaration.id, manifest)
    declared.check = { try self.check($0) }
    declared.events = events
    switch declaration.flow {
    case .oauth2(let flow): add(flow, to: &declared)
    case .oidc(let oidc): add(oidc, to: &declared)
    case .custom(let custom): add(custom, to: &declared)
    }
    declared.identity = { answer, session in
      let session = try PluginSession.of(session)
      session.use(answer.claims?.uses ?? [])
      return try await self.identity(answer, session)
        .verified(self.declaration.id, issuer: answer.issuer, uses: session.uses)
    }
    return declared
  }

  private func add(_ flow: OAuthTemplate, to declared: inout ProviderDeclaration) {
    let scopes = declaration.scopes
    declared.client = { _, session, document in
      let offered = document?.tokenEndpointAuthMethods ?? []
      // A provider that names no method takes Basic (OpenID Connect Discovery 3).
      let isBasic = document != nil && (offered.isEmpty || offered.contains("client_secret_basic"))
      let method = flow.authentication ?? (isBasic ? .basic : .post)
      let secret = try session.settings.secret("clientSecret")
      return (try session.settings.required("clientID"), method.with(secret))
    }
    declared.userInfo.request = flow.userInfo
    if let app = flow.app {
      declared.app = AppCheck { try await self.subject(of: $0, by: app, try .of($1)) }
    }
    guard declaration.kind == .oidc || flow.browser.authorize != nil else { return }
    declared.browser = flow.browser
    declared.browser?.scopes = { session in
      let configured = session.settings.list("scopes")
      return configured.isEmpty ? scopes : configured
    }
    declared.renewal = .standard
    switch flow.revoke {
    case .standard(let url): declared.revocation = .standard(url)
    case .request(let request): declared.revocation = .request(request)
    case .function: declared.revocation = revocation
    case nil: declared.revocation = .standard(nil)
    }
  }

  private func add(_ oidc: OIDCTemplate, to declared: inout ProviderDeclaration) {
    add(oidc.flow, to: &declared)
    let declaration = declaration
    declared.userInfo.asks = oidc.asks
    var rule = IDTokenRule(keys: oidc.token.keys) { token, session in
      try oidc.token.requirements(of: token, try .of(session))
    }
    rule.repeatsNonce = oidc.token.repeatsNonce
    rule.isThin = { declaration.isThin($0) }
    // Equal subjects of two issuers are two people, so the key names the issuer if there may be several.
    let isList = oidc.token.issuerNames.contains { name in
      declaration.ownSettings.contains { $0.name == name && $0.type == .list }
    }
    rule.keyIssuer = { issuer, _ in isList ? issuer : "" }
    declared.idToken = rule
    declared.callbackIssuer = { session in
      let issuers = try oidc.token.issuers(try .of(session), of: nil)
      return issuers.count == 1 ? issuers[0] : nil
    }
    guard oidc.usesDiscovery else { return }
    // The document of the first issuer; the other issuers are expected to agree with it.
    declared.discovery = DiscoveryRule { session in
      try oidc.token.issuers(try .of(session), of: nil).first ?? session.settings.required("issuer")
    }
    declared.discovery?.isReadForUserInfo = true
  }

  private func add(_ custom: CustomTemplate, to declared: inout ProviderDeclaration) {
    declared.verify = { credential, session in
      try await self.identity("verify", [.credential(credential), .http, .settings], .of(session))
    }
    if declaration.functions.contains("revoke") { declared.revocation = revocation }
    if declaration.functions.contains("refresh") {
      declared.renewal = .function { token, session in
        try await self.identity("refresh", [.secret(token), .http, .settings], .of(session))
      }
    }
    guard let template = custom.authorize else { return }
    var browser = BrowserRule()
    browser.address = { try await self.address($0, template, .of($1)) }
    browser.callback = { callback throws(AuthError) in try self.fields(of: callback, template) }
    declared.browser = browser
    // With several kinds of tokens, a callback may come from any issuer.
    let tokens = Array(declaration.tokens.values)
    declared.callbackIssuer = { session in
      let issuers = try tokens.count == 1 ? tokens[0].issuers(.of(session), of: nil) : []
      return issuers.count == 1 ? issuers[0] : nil
    }
  }

  private var revocation: Revocation {
    .function { token, session in
      let session = try PluginSession.of(session)
      _ = try await self.runner.call("revoke", [.revoked(token), .http, .settings], session)
    }
  }

  /// Calls a function that returns an identity.
  private func identity(
    _ place: String, _ arguments: [PluginArgument], _ session: PluginSession
  ) async throws -> VerifiedIdentity {
    guard case .identity(let identity) = try await runner.call(place, arguments, session) else {
      throw runner.outOfOrder("\(place) returned no identity", nil, session)
    }
    return identity.verified(declaration.id, uses: session.uses)
  }

  /// Checks that an access token was issued to our app; returns its subject, if the answer names it.
  private func subject(
    of token: Secret<String>, by app: OAuthTemplate.App, _ session: PluginSession
  ) async throws -> String? {
    let named: JSONValue?
    var answer = JSONValue.null
    var subject: PluginPath?
    switch app {
    case .request(let request, let path, let subjectPath):
      answer = try await session.ask(request, at: "app", with: token, step: .token)
      named = path.value(in: answer)
      subject = subjectPath
    case .function:
      let outcome = try await runner.call("app", [.secret(token), .http, .settings], session)
      if case .json(let value) = outcome { named = value } else { named = nil }
    }
    let client: String? =
      switch named {
      case .string(let text): text
      case .integer(let number): String(number)
      default: nil
      }
    guard let client else {
      throw AuthError(
        .invalidCredential, "The vendor does not name the app of the access token.",
        field: "accessToken", remedy: "Sign in with the provider again: it may have expired.",
        step: .token)
    }
    let ours = [try session.settings.required("clientID")] + session.settings.list("audiences")
    guard ours.contains(where: { $0.isExactly(client) }) else {
      throw AuthError(
        .invalidCredential, "The access token was issued to another app.", field: "accessToken",
        remedy: "Configure the client ID that the app signs in with.", step: .token)
    }
    return try subject.map { try PluginIdentity.subject($0.value(in: answer)) }
  }
}
