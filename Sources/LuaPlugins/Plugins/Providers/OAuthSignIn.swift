import AuthCore
import BuiltInProviders
import Foundation

/// One sign-in through a plug-in of kind oauth2.
struct OAuthSignIn {
  let core: LoadedPlugin
  let flow: OAuthTemplate
  let session: PluginSession

  init(_ core: LoadedPlugin, _ flow: OAuthTemplate, _ session: PluginSession) {
    self.core = core
    self.flow = flow
    self.session = session
  }

  func verify(_ credential: Credential) async throws -> VerifiedIdentity {
    guard credential.builder == AuthorizationGrant.builderName else {
      let token = Secret(try credential.required("accessToken"))
      let subject = try await checkApp(of: token)
      return try await identity(of: token, subject: subject)
    }
    let tokens = try await client().exchange(
      code: try credential.required("code"), redirectURI: try credential.required("redirectURI"),
      codeVerifier: flow.hasPKCE ? credential.optional("codeVerifier") : nil)
    return try await identity(of: try Self.accessToken(tokens))
  }

  private static func accessToken(_ tokens: TokenResponse) throws(AuthError) -> Secret<String> {
    guard let token = tokens.accessToken else {
      throw AuthError(
        .invalidCredential, "The vendor gave no access token for the authorization code.",
        remedy: "Sign in with the provider again.", step: .exchange)
    }
    return token
  }

  private func identity(
    of token: Secret<String>, subject: String? = nil
  ) async throws -> VerifiedIdentity {
    var profile = JSONValue.object([:])
    if let userInfo = flow.userInfo {
      profile = try await session.ask(userInfo, accessToken: token, step: .profile)
    }
    let identity = try await core.identity(profile, accessToken: token, session)
    guard subject.map(identity.subject.isExactly) != false else {
      throw AuthError(
        .invalidCredential, "The vendor gave the profile of another subject than the token's.",
        field: "subject", remedy: "Sign in with the provider again.", step: .profile)
    }
    return identity.verified(core.declaration.id, uses: session.uses)
  }

  /// Checks that an access token was issued to our app: another app's token describes the person just as well, and
  /// that app's server knows it.
  ///
  /// Returns the token's subject, if the answer names it.
  private func checkApp(of token: Secret<String>) async throws -> String? {
    let named: JSONValue?
    var answer = JSONValue.null
    var subject: PluginPath?
    switch flow.app {
    case .request(let request, let path, let subjectPath):
      answer = try await session.ask(request, accessToken: token, step: .token)
      named = path.value(in: answer)
      subject = subjectPath
    case .function:
      let outcome = try await core.runner.call("app", [.secret(token), .http, .settings], session)
      if case .json(let value) = outcome { named = value } else { named = nil }
    case nil: named = nil
    }
    let ours = [try session.settings.required("clientID")] + session.settings.list("audiences")
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
    guard ours.contains(where: { $0.isExactly(client) }) else {
      throw AuthError(
        .invalidCredential, "The access token was issued to another app.", field: "accessToken",
        remedy: "Configure the client ID that the app signs in with.", step: .token)
    }
    return try subject.map { try PluginIdentity.subject($0.value(in: answer)) }
  }

  func authorizationURL(_ request: AuthorizationGrant) async throws -> String {
    let scopes = session.scopes
    return try client().authorizationURL(
      request, scopes: scopes, parameters: try session.parameters(flow), hasPKCE: flow.hasPKCE,
      hasNonce: scopes.contains("openid"))
  }

  func revoke(_ token: RevocationToken) async throws { try await client().revoke(token) }

  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey
  ) async throws -> VerifiedIdentity {
    let tokens = try await client().refresh(refreshToken)
    let renewed = try await identity(of: try Self.accessToken(tokens))
    if let renewedKey = renewed.key { try key.requireSame(renewedKey) }
    return renewed
  }

  private func client() throws -> OAuthClient {
    try session.client(flow, flow.authentication, discovered: nil)
  }
}

extension PluginSession {
  var scopes: [String] {
    let configured = settings.list("scopes")
    return configured.isEmpty ? declaration.scopes : configured
  }

  func parameters(_ flow: OAuthTemplate) throws -> [(name: String, value: String)] {
    try flow.parameters.sorted { $0.key < $1.key }
      .map { ($0.key, try filler.text($0.value)) }
  }

  /// The shared OAuth client, with the plug-in's endpoints or the discovered ones.
  func client(
    _ flow: OAuthTemplate, _ authentication: OAuthTemplate.Authentication,
    discovered document: DiscoveryDocument?
  ) throws -> OAuthClient {
    func endpoint(_ template: URLTemplate?, _ discovered: String?) throws -> String? {
      try template.map { try filler.url($0) } ?? discovered
    }
    guard let authorize = try endpoint(flow.authorize, document?.authorizationEndpoint),
      let token = try endpoint(flow.token, document?.tokenEndpoint)
    else {
      throw AuthError(
        .operationNotAllowed, "The plug-in \(declaration.id) knows no authorize or token endpoint.",
        remedy: "Use its other credentials.", step: .credential)
    }
    let secret = try settings.secret("clientSecret")
    let shown: ClientAuthentication =
      switch (authentication, secret) {
      case (.basic, .some(let secret)): .basic(secret)
      case (.post, .some(let secret)): .body(secret)
      default: .none
      }
    // Only a browser opens the authorization endpoint, so the transport does not check it.
    return OAuthClient(
      transport: transport,
      endpoints: OAuthEndpoints(
        authorize: try transport.address(authorize, forBrowser: true), token: token,
        revocation: try endpoint(flow.revoke, document?.revocationEndpoint)),
      clientID: try settings.required("clientID"), authentication: shown)
  }

  /// Requests an endpoint with an access token; returns the object in the answer.
  func ask(
    _ template: RequestTemplate, accessToken: Secret<String>, step: FlowStep
  ) async throws -> JSONValue {
    let filler = filler
    func filled(_ templates: [String: URLTemplate]) throws -> [(name: String, value: String)] {
      try templates.sorted { $0.key < $1.key }.map { name, template in
        let value = try template.filled { part in
          part == "accessToken" ? accessToken.reveal() : try filler.value(part, inURL: false)
        }
        return (name, value)
      }
    }
    let url = URLText.adding(try filled(template.query), to: try filler.url(template.url))
    var request = HTTPRequest(template.method, url)
    if !template.form.isEmpty {
      request = HTTPRequest.form(url, try filled(template.form))
    } else if !template.json.isEmpty {
      let members = try filled(template.json).map { ($0.name, JSONValue.string($0.value)) }
      let body = JSONValue.object(Dictionary(members, uniquingKeysWith: { $1 }))
      request.body = Array(body.text.utf8)
      request.headers = [("Content-Type", "application/json")]
    }
    request.method = template.method
    request.headers += try filled(template.headers)
    if !request.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      request.headers.append(("Accept", "application/json"))
    }
    if template.isBasic {
      let secret = try settings.requiredSecret("clientSecret").reveal()
      let pair = "\(try settings.required("clientID")):\(secret)"
      request.headers.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
    } else if let scheme = template.scheme {
      request.headers.append(("Authorization", "\(scheme) \(accessToken.reveal())"))
    }
    return try await VendorExchange(transport: transport, step: step).resource(request)
  }
}
