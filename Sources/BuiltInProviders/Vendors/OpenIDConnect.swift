public import AuthCore

/// The family of OpenID Connect providers that an admin names, such as `oidc.work` and `oidc.school`.
public struct OIDCFamily: ProviderFamily {
  /// The prefix `oidc.` of the members' IDs.
  public let prefix = "oidc."
  private let transport: any HTTPTransport
  private let keys: KeyCache
  private let discovery: DiscoveryCache

  /// Makes the family, whose members share the caches.
  public init(transport: any HTTPTransport, keys: KeyCache, discovery: DiscoveryCache) {
    self.transport = transport
    self.keys = keys
    self.discovery = discovery
  }

  /// Makes a member of the family.
  public func provider(_ id: ProviderID) -> any AuthProvider {
    DeclaredProvider(
      .openIDConnect(id), transport: transport, keys: keys, discovery: discovery)
  }
}

extension ProviderDeclaration {
  /// An OpenID Connect provider that an admin configured, by ID token or authorization code.
  ///
  /// Endpoints and keys come from the configuration or from the issuer's discovery document (OpenID Connect Discovery
  /// 1.0), never from a token. The identity is the token's `sub`, which no configuration can change.
  static func openIDConnect(_ id: ProviderID) -> ProviderDeclaration {
    var openID = ProviderDeclaration(
      id,
      ProviderManifest(
        name: "OpenID Connect (\(id))", kind: .oidc,
        builders: [.idToken(takesAccessToken: true), .code], configuration: openIDSettings))
    openID.client = { _, session, document in
      (
        try session.settings.required("clientID"),
        try authentication(session.settings, offered: document?.tokenEndpointAuthMethods ?? [])
      )
    }
    openID.browser = BrowserRule()
    openID.browser?.scopes = { session in
      let scopes = session.settings.list("scopes")
      return scopes.isEmpty ? ["openid", "email", "profile"] : scopes
    }
    openID.discovery = DiscoveryRule { session in
      let issuer = try session.settings.required("issuer")
      _ = try session.settings.required("clientID")
      return issuer
    }
    openID.idToken = IDTokenRule(keys: nil) { token, session in
      let settings = session.settings
      let presence =
        settings.flag("requiresNonce") == true ? NonceRule.Presence.required : .optional
      return IDTokenDeclaration(
        issuers: [try settings.required("issuer")] + settings.list("otherIssuers"),
        audiences: [try settings.required("clientID")] + settings.list("audiences"),
        keys: token.keys,
        algorithms: try algorithms(settings, offered: token.document?.signingAlgorithms ?? []),
        nonce: NonceRule(presence, form: .either), privateHosts: session.privateHosts)
    }
    // Equal subjects of two issuers are two people, so every issuer but the first is part of the key.
    openID.idToken?.keyIssuer = { issuer, session in
      try session.settings.required("issuer").isExactly(issuer) ? "" : issuer
    }
    openID.userInfo.isStandard = true
    openID.userInfo.asks = .ifThin
    openID.callbackIssuer = { try $0.settings.required("issuer") }
    openID.revocation = .standard(nil)
    openID.renewal = .standard
    openID.check = checkOpenID
    return openID
  }

  private static let openIDSettings = [
    ConfigurationField(
      "issuer", .url, required: true, namesSubjects: true,
      "the issuer, exactly as its tokens name it"),
    ConfigurationField(
      "otherIssuers", .list,
      "further issuers with the same keys; equal subjects of two issuers are different people"),
    // OpenID Connect Core 1.0, section 8: a pairwise subject differs for each client.
    ConfigurationField(
      "clientID", .text, required: true, namesSubjects: true,
      sharedIf: ConfigurationField.SharedSubjects("subjectType", is: "public"),
      "your client's ID"),
    ConfigurationField(
      "subjectType", .text,
      "public if the issuer gives all clients the same subjects; otherwise pairwise, the default"),
    ConfigurationField("audiences", .list, "further client IDs whose ID tokens are accepted"),
    ConfigurationField("clientSecret", .secret, "your client's secret, if it has one"),
    ConfigurationField(
      "clientAuthentication", .text, "none, basic or post; by default what the provider offers"),
    ConfigurationField(
      "algorithms", .list, "the signing algorithms; by default those that the provider offers"),
    ConfigurationField("requiresNonce", .flag, "refuses ID tokens without a nonce"),
    ConfigurationField(
      "scopes", .list, "the requested scopes, by default openid, email and profile"),
    ConfigurationField("displayName", .text, "the name that people see"),
    ConfigurationField(
      "responseType", .text, "code or idToken: what the project's clients sign in with"),
    .endpoints(["authorize", "token", "keys", "userInfo", "introspection", "revocation"]),
    .privateHosts,
  ]

  /// Checks settings that would fail only at a sign-in: the issuers' scheme, the algorithms and the authentication.
  private static func checkOpenID(_ settings: ProviderSettings) throws {
    for issuer in [settings.text("issuer")].compactMap(\.self) + settings.list("otherIssuers") {
      let host = URLText.host(of: issuer) ?? ""
      let isPrivate = settings.privateHosts.contains { host == $0 || host.hasPrefix("\($0):") }
      guard issuer.hasPrefix("https://") || (issuer.hasPrefix("http://") && isPrivate) else {
        throw AuthError(
          .invalidArgument, "The issuer \(issuer) is no https address.", field: "issuer",
          remedy: "Write https://…, or name its host in privateHosts.")
      }
    }
    if let type = settings.text("subjectType"), !["public", "pairwise"].contains(type) {
      throw AuthError(
        .invalidArgument, "There is no subject type \(type).", field: "subjectType",
        remedy: "Write public or pairwise, as the issuer's discovery document says.")
    }
    _ = try algorithms(settings, offered: [])
    _ = try authentication(settings, offered: [])
  }

  private static func algorithms(
    _ settings: ProviderSettings, offered: [SigningAlgorithm]
  ) throws(AuthError) -> [SigningAlgorithm] {
    let configured = try settings.list("algorithms").map { name throws(AuthError) in
      guard let algorithm = SigningAlgorithm(rawValue: name) else {
        let all = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        throw AuthError(
          .operationNotAllowed, "There is no signing algorithm of that name for ID tokens.",
          field: "algorithms", remedy: "Name some of: \(all).", step: .credential)
      }
      return algorithm
    }
    if !configured.isEmpty { return configured }
    // Algorithms without a key pair, such as HS256 or none, are not a SigningAlgorithm and are dropped.
    return offered.isEmpty ? [.rs256, .es256] : offered
  }

  private static func authentication(
    _ settings: ProviderSettings, offered: [String]
  ) throws -> ClientAuthentication {
    guard let name = settings.text("clientAuthentication") else {
      // A provider that names no method takes Basic (OpenID Connect Discovery 3).
      let onlyPost =
        offered.contains("client_secret_post") && !offered.contains("client_secret_basic")
      return (onlyPost ? ClientAuthenticationMethod.post : .basic)
        .with(try settings.secret("clientSecret"))
    }
    guard let method = ClientAuthenticationMethod(rawValue: name) else {
      throw AuthError(
        .operationNotAllowed, "There is no client authentication of that name.",
        field: "clientAuthentication", remedy: "Write none, basic or post.", step: .credential)
    }
    return method == .none ? .none : method.with(try settings.requiredSecret("clientSecret"))
  }
}
