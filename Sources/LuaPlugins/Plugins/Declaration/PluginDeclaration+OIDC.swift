import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `kind = "oidc"`, and the tokens that `jwt.verify` may be asked for.
extension PluginDeclaration {
  static let oidcFields = [
    "issuer", "keys", "authorize", "token", "userinfo", "revoke", "discovery", "algorithms",
    "nonce", "textBooleans", "maximumAge", "scopes", "parameters", "clientAuthentication", "pkce",
    "identity", "profile",
  ]

  static func oidc(_ reader: DeclarationReader, _ names: Set<String>) throws -> OIDCTemplate {
    var oidc = OIDCTemplate(token: try token(reader, names))
    oidc.flow = try browserFlow(reader, names)
    oidc.authentication = try reader.choice(
      "clientAuthentication", OAuthTemplate.Authentication.self)
    oidc.usesDiscovery = try reader.flag("discovery") ?? true
    if let isAsked = reader.table["userinfo"].boolValue {
      oidc.asksUserInfo = isAsked
    } else {
      oidc.flow.userInfo = try request("userinfo", reader, names)
    }
    guard oidc.usesDiscovery || oidc.token.keys != nil else {
      throw reader.mistake(
        "keys", "keys is missing",
        remedy: "Write keys = \"https://…\", or leave keys to the discovery document.")
    }
    try functionOrNothing("profile", reader)
    return oidc
  }

  /// Reads the requirements of a token: issuer, keys, algorithms, nonce, textBooleans and maximumAge.
  private static func token(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> TokenTemplate {
    let issuer = try reader.requiredText("issuer", "\"https://…\"")
    var token = TokenTemplate(issuer: try reader.template("issuer", text: issuer, names))
    token.keys = try reader.url("keys", names)
    token.booleansMayBeText = try reader.flag("textBooleans") ?? false
    token.maximumAge = try reader.number("maximumAge")
    switch try reader.choice("nonce", Nonce.self) {
    case .required: token.nonce = .required
    case .optional, nil: token.nonce = .optional
    }
    if let algorithms = try reader.texts("algorithms") {
      token.algorithms = try algorithms.map { name in
        guard let algorithm = SigningAlgorithm(rawValue: name) else {
          throw reader.mistake(
            "algorithms", "ID tokens cannot be signed with \(name)",
            remedy:
              "Name some of \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))."
          )
        }
        return algorithm
      }
      guard !token.algorithms.isEmpty else {
        throw reader.mistake("algorithms", "algorithms is empty, so no token would be accepted")
      }
    }
    return token
  }

  private enum Nonce: String, CaseIterable {
    case optional, required
  }

  static func tokens(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> [String: TokenTemplate] {
    guard let all = try reader.inner("tokens") else { return [:] }
    var tokens: [String: TokenTemplate] = [:]
    for name in all.table.fields.keys {
      guard let inner = try all.inner(name), !inner.has("secret") else { continue }
      try inner.refuseUnknown([
        "issuer", "keys", "audience", "algorithms", "nonce", "textBooleans", "maximumAge",
      ])
      var token = try token(inner, names)
      guard token.keys != nil else {
        throw inner.mistake(
          "keys", "\(inner.place)keys is missing", remedy: "Write keys = \"https://…\".")
      }
      let audiences = try inner.texts("audience") ?? []
      guard !audiences.isEmpty else {
        throw inner.mistake(
          "audience", "\(inner.place)audience is missing",
          remedy: "Write audience = \"{clientID}\", or the aud that tokens have.")
      }
      token.audiences = try audiences.map {
        try inner.template("audience", text: $0, names, isURL: false)
      }
      tokens[name] = token
    }
    return tokens
  }

  static func builders(_ oidc: OIDCTemplate) -> [CredentialBuilder] {
    var builders = [
      CredentialBuilder(
        "idToken",
        fields: [
          CredentialField("idToken", secret: true, "the ID token that the vendor gave the app"),
          CredentialField(
            "accessToken", secret: true, required: false, "the access token from the same sign-in"),
          CredentialField(
            "nonce", secret: true, required: false, "the raw nonce of the request"),
        ])
    ]
    let isComplete = oidc.flow.authorize != nil && oidc.flow.token != nil
    if oidc.usesDiscovery || isComplete { builders.append(codeBuilder) }
    return builders
  }
}
