import AuthCore

/// The configuration of one OpenID Connect provider, completed by its discovery document.
struct OIDCSetup: Sendable {
  let issuer: String
  let declaration: IDTokenDeclaration
  let scopes: [String]
  /// True if the provider promised to name itself in its callbacks (RFC 9207).
  let sendsIssuer: Bool
  let userInfoEndpoint: String?
  let revocationEndpoint: String?
  private let authorizeEndpoint: String?
  private let tokenEndpoint: String?
  private let introspectionEndpoint: String?
  private let clientID: String
  private let authentication: ClientAuthentication
  private let transport: any HTTPTransport

  /// The client that sends a person to the provider and exchanges the code.
  func client() throws(AuthError) -> OAuthClient {
    guard let authorizeEndpoint else { throw missingEndpoint("authorize") }
    guard let tokenEndpoint else { throw missingEndpoint("token") }
    return OAuthClient(
      transport: transport,
      endpoints: endpoints(authorize: authorizeEndpoint, token: tokenEndpoint),
      clientID: clientID, authentication: authentication)
  }

  /// The client for requests with an access token, which needs no other endpoints.
  var resourceClient: OAuthClient {
    OAuthClient(
      transport: transport,
      endpoints: endpoints(authorize: authorizeEndpoint ?? "", token: tokenEndpoint ?? ""),
      clientID: clientID, authentication: authentication)
  }

  func missingEndpoint(_ name: String) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider names no \(name) endpoint.", field: "endpoints",
      remedy: "Configure endpoints.\(name).", step: .credential)
  }

  private func endpoints(authorize: String, token: String) -> OAuthEndpoints {
    OAuthEndpoints(
      authorize: authorize, token: token, userInfo: userInfoEndpoint,
      introspection: introspectionEndpoint, revocation: revocationEndpoint,
      privateHosts: declaration.privateHosts)
  }
}

extension OIDCSetup {
  /// Combines the configuration and the discovery document; the configuration takes precedence.
  init(
    _ settings: ProviderSettings, _ document: DiscoveryDocument?, _ transport: any HTTPTransport
  ) throws {
    issuer = try settings.required("issuer")
    clientID = try settings.required("clientID")
    let named = { (name: String) in settings.text(name, of: "endpoints") }
    guard let keys = named("keys") ?? document?.jwksURI else {
      throw AuthError(
        .operationNotAllowed, "The provider names no keys.", field: "endpoints",
        remedy: "Configure endpoints.keys.", step: .credential)
    }
    declaration = IDTokenDeclaration(
      issuers: [issuer] + settings.list("otherIssuers"),
      audiences: [clientID] + settings.list("audiences"), keys: .jwks(url: keys),
      algorithms: try Self.algorithms(settings, document),
      nonce: NonceRule(
        settings.flag("requiresNonce") == true ? .required : .optional, form: .either),
      privateHosts: settings.privateHosts)
    authorizeEndpoint = named("authorize") ?? document?.authorizationEndpoint
    tokenEndpoint = named("token") ?? document?.tokenEndpoint
    userInfoEndpoint = named("userInfo") ?? document?.userInfoEndpoint
    introspectionEndpoint = named("introspection") ?? document?.introspectionEndpoint
    revocationEndpoint = named("revocation") ?? document?.revocationEndpoint
    sendsIssuer = document?.authorizationResponseIssParameterSupported ?? false
    let scopes = settings.list("scopes")
    self.scopes = scopes.isEmpty ? ["openid", "email", "profile"] : scopes
    authentication = try Self.authentication(settings, document)
    self.transport = transport
  }

  /// Checks the settings that need no discovery document.
  static func check(_ settings: ProviderSettings) throws {
    _ = try algorithms(settings, nil)
    _ = try authentication(settings, nil)
  }

  private static func algorithms(
    _ settings: ProviderSettings, _ document: DiscoveryDocument?
  ) throws(AuthError) -> [SigningAlgorithm] {
    var configured: [SigningAlgorithm] = []
    for name in settings.list("algorithms") {
      guard let algorithm = SigningAlgorithm(rawValue: name) else {
        throw AuthError(
          .operationNotAllowed, "There is no signing algorithm of that name for ID tokens.",
          field: "algorithms", remedy: "Name some of: \(allNames).", step: .credential)
      }
      configured.append(algorithm)
    }
    if !configured.isEmpty { return configured }
    // Algorithms without a key pair, such as HS256 or none, are not a SigningAlgorithm and are dropped.
    let offered = document?.signingAlgorithms ?? []
    return offered.isEmpty ? [.rs256, .es256] : offered
  }

  private static var allNames: String {
    SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func authentication(
    _ settings: ProviderSettings, _ document: DiscoveryDocument?
  ) throws -> ClientAuthentication {
    let offered = document?.tokenEndpointAuthMethods ?? []
    switch settings.text("clientAuthentication") {
    case "none": return .none
    case "basic": return .basic(try settings.requiredSecret("clientSecret"))
    case "post": return .body(try settings.requiredSecret("clientSecret"))
    case nil:
      guard let secret = try settings.secret("clientSecret") else { return .none }
      // A provider that names no method takes Basic (OpenID Connect Discovery 3).
      let onlyPost =
        offered.contains("client_secret_post") && !offered.contains("client_secret_basic")
      return onlyPost ? .body(secret) : .basic(secret)
    case .some:
      throw AuthError(
        .operationNotAllowed, "There is no client authentication of that name.",
        field: "clientAuthentication", remedy: "Write none, basic or post.", step: .credential)
    }
  }
}
