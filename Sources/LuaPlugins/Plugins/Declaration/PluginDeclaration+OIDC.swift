import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `kind = "oidc"`, and the tokens that `jwt.verify` may be asked for.
extension PluginDeclaration {
  static let oidcFields =
    [
      "issuer", "keys", "keyIssuer", "authorize", "token", "userinfo", "discovery", "algorithms",
      "nonce", "textBooleans", "maximumAge", "scopes", "identity", "profile",
    ] + browserFields

  static func oidc(_ reader: DeclarationReader, _ names: Set<String>) throws -> OIDCTemplate {
    var oidc = OIDCTemplate(token: try token(reader, names))
    oidc.flow = try browserFlow(reader, names)
    oidc.usesDiscovery = try reader.flag("discovery") ?? true
    if let isAsked = reader.table["userinfo"].boolValue {
      oidc.asks = isAsked ? .always : .never
    } else {
      oidc.flow.userInfo = try request("userinfo", reader, names, besides: ["always"])
      if reader.table["userinfo"].tableValue?["always"].boolValue == true { oidc.asks = .always }
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
    let issuers = try issuers(reader, names)
    var token = TokenTemplate(issuer: issuers[0], otherIssuers: Array(issuers.dropFirst()))
    if let inner = reader.table["issuer"].tableValue { token.anyIssuer = inner["any"].stringValue }
    if try reader.choice("keyIssuer", KeyIssuer.self) == .token { token.keyIssuer = .sameAsToken }
    token.keys = try reader.url("keys", names)
    token.booleansMayBeText = try reader.flag("textBooleans") ?? false
    token.maximumAge = try reader.number("maximumAge")
    if reader.table["nonce"].boolValue == false {
      token.repeatsNonce = false
    } else if try reader.choice("nonce", Nonce.self) == .required {
      token.nonce = .required
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

  private static let maximumIssuers = 4

  private enum KeyIssuer: String, CaseIterable {
    case any, token
  }

  /// Reads an issuer, a list of its spellings, or a table of it and of the claim that stands for the setting `any`.
  private static func issuers(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> [URLTemplate] {
    guard
      let inner = reader.table["issuer"].tableValue.map({ DeclarationReader($0, place: "issuer.") })
    else {
      let text = try reader.requiredText("issuer", "\"https://…\"")
      return [try reader.template("issuer", text: text, names)]
    }
    try inner.refuseUnknown(["any"])
    let texts = inner.table.array.compactMap(\.stringValue)
    let isOne = try inner.text("any") != nil
    guard texts.count == inner.table.array.count,
      isOne ? texts.count == 1 : (2...maximumIssuers).contains(texts.count)
    else {
      throw reader.mistake(
        "issuer", "issuer has no address, or names no claim",
        remedy: "Write issuer = { \"https://…/{tenants}\", any = \"tid\" }, or a list of spellings."
      )
    }
    return try texts.map { try reader.template("issuer", text: $0, names) }
  }

  static func tokens(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> [String: TokenTemplate] {
    guard let all = try reader.inner("tokens") else { return [:] }
    var tokens: [String: TokenTemplate] = [:]
    for name in all.table.fields.keys {
      guard let inner = try all.inner(name), !inner.has("secret") else { continue }
      try inner.refuseUnknown([
        "issuer", "keys", "keyIssuer", "audience", "algorithms", "nonce", "textBooleans",
        "maximumAge",
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
    let isComplete = oidc.flow.browser.authorize != nil && oidc.flow.browser.token != nil
    if oidc.usesDiscovery || isComplete { builders.append(codeBuilder) }
    return builders
  }
}
