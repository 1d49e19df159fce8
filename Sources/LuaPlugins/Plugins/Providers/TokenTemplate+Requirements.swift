import AuthCore
import BuiltInProviders

extension TokenTemplate {
  /// The issuer in each of its spellings.
  var spellings: [URLTemplate] { [issuer] + otherIssuers }

  /// The settings in the issuer.
  var issuerNames: [String] { spellings.flatMap(\.names) }

  /// The requirements of an ID token under a scope's settings.
  func requirements(
    of token: VendorToken, _ session: PluginSession
  ) throws -> IDTokenDeclaration {
    let settings = session.settings
    let audiences =
      audiences.isEmpty
      ? [try settings.required("clientID")] + settings.list("audiences")
      : try audiences.map { try session.filler.text($0) }
    return IDTokenDeclaration(
      issuers: try issuers(session, of: token.text), audiences: audiences, keys: token.keys,
      algorithms: algorithms, nonce: NonceRule(nonce, form: .either), maximumAge: maximumAge,
      booleansMayBeText: booleansMayBeText, privateHosts: session.privateHosts,
      keyIssuer: keyIssuer)
  }

  /// The requirements of a token that a function gave.
  func declaration(
    _ session: PluginSession, of token: String? = nil
  ) throws -> IDTokenDeclaration {
    guard let keys else {
      throw AuthError(
        .pluginFailed, "The plug-in declares no keys for its tokens.",
        remedy: "Write keys = \"https://…\" in the plug-in.")
    }
    let url = try session.transport.address(try session.filler.url(keys))
    let given = VendorToken(text: token ?? "", isExchanged: false, keys: .jwks(url: url))
    return try requirements(of: given, session)
  }

  /// The accepted issuers.
  ///
  /// If an admin set the list to `any`, the issuer of a token is bound to one of its own claims, such as Microsoft's
  /// `tid`: the claim fills the declared address, which `iss` then has to be. Without a token there is none.
  func issuers(_ session: PluginSession, of token: String?) throws -> [String] {
    guard let anyIssuer, let list = listSetting(session),
      session.settings.list(list).contains("any")
    else { return try spellings.flatMap { try session.filler.urls($0) } }
    guard let token else { return [] }
    guard let claim = UnverifiedClaims(token)?[anyIssuer]?.stringValue,
      claim.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,127}/) != nil
    else {
      throw AuthError(
        .invalidCredential, "The ID token does not name its issuer's \(anyIssuer).",
        field: anyIssuer, remedy: "Sign in with the provider again.", step: .token)
    }
    return [
      try issuer.filled { $0 == list ? claim : try session.value($0, inURL: true) }
    ]
  }

  private func listSetting(_ session: PluginSession) -> String? {
    issuer.names.first { name in
      session.declaration.ownSettings.contains { $0.name == name && $0.type == .list }
    }
  }
}

/// The claims of a token whose signature is not verified yet, read only to choose the requirements that it has to meet.
private struct UnverifiedClaims {
  private let claims: JSONValue

  init?(_ token: String) {
    guard token.utf8.count <= 16 << 10, let parts = TokenParts(token),
      let bytes = Base64.url.bytes(of: parts.payload), let claims = try? JSONValue(strict: bytes)
    else { return nil }
    self.claims = claims
  }

  subscript(name: String) -> JSONValue? { claims[name] }
}
