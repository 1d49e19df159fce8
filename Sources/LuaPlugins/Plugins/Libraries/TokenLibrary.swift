import AuthCore
import BuiltInProviders
import LuaRuntime

/// The libraries `jwt` and `oauth`, on top of the shared verifier and OAuth client.
struct TokenLibrary {
  let box: SessionBox

  func install(in state: LuaState) throws(LuaError) {
    let box = box
    var jwt = LuaLibrary(name: "jwt")
    jwt.asyncFunction("verify") { arguments in
      let session = try box.required("jwt.verify")
      return [try await session.failing { try await Self.verify(arguments, session) }]
    }
    jwt.function("sign") { call in
      _ = try box.required("jwt.sign")
      return [try Self.sign(call)]
    }
    EventTokenWords.add(to: &jwt, box)
    try state.set("jwt", to: state.library(jwt))
    var oauth = LuaLibrary(name: "oauth")
    oauth.asyncFunction("exchange") { arguments in
      let session = try box.required("oauth.exchange")
      return [try await session.failing { try await Self.exchange(arguments, session) }]
    }
    try state.set("oauth", to: state.library(oauth))
  }

  /// `jwt.verify(name, token, { nonce =, accessToken = })`, by a declaration in `tokens` and no other.
  private static func verify(
    _ arguments: [LuaValue], _ session: PluginSession
  ) async throws -> LuaValue {
    let (tokens, shared) = (session.declaration.tokens, session.declaration.sharedSecretTokens)
    let name = arguments.first?.stringValue ?? ""
    guard tokens[name] != nil || shared[name] != nil else {
      let names = Array(tokens.keys) + Array(shared.keys)
      throw LuaArgumentError(
        "jwt.verify: tokens declares no \"\(name)\"; \(hint(for: name, among: names.sorted()))")
    }
    guard arguments.count > 1 else { throw LuaArgumentError("jwt.verify needs a token") }
    let options = arguments.dropFirst(2).first?.tableValue ?? LuaTable()
    let names = ["nonce", "accessToken"]
    if let unknown = options.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw LuaArgumentError(
        "jwt.verify has no option \"\(unknown)\"; \(hint(for: unknown, among: names))")
    }
    func text(_ name: String) throws -> String? {
      options[name].isNil ? nil : try RequestText.sent(options[name], of: name)
    }
    let token = try RequestText.sent(arguments[1], of: "the token")
    let (nonce, accessToken) = (try text("nonce"), try text("accessToken"))
    let claims: IDTokenClaims
    if let template = shared[name] {
      let secret = try session.settings.requiredSecret(template.secret).reveal()
      claims = try template.declaration(session).verify(
        token, secret: Array(secret.utf8), nonce: nonce, accessToken: accessToken, now: session.now)
    } else if let template = tokens[name] {
      claims = try await IDTokenVerifier(keys: session.host.keys).verify(
        token, by: try template.declaration(session, of: token), nonce: nonce,
        accessToken: accessToken, now: session.now)
    } else {
      return .nil
    }
    session.use(claims.uses)
    return claims.all.luaWithoutNulls
  }

  /// `jwt.sign { key =, claims =, keyID = }`: ES256 or RS256, depending on the key.
  private static func sign(_ call: LuaCall) throws -> LuaValue {
    let table = try call.table(1, "token")
    let names = ["key", "claims", "keyID"]
    if let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw call.argumentError(
        1, "jwt.sign has no \"\(unknown)\"; \(hint(for: unknown, among: names))")
    }
    guard let key = table["key"].secretValue?.text, let claims = JSONValue(table["claims"]),
      case .object = claims
    else { throw call.argumentError(1, "key must be a secret setting, and claims a table") }
    // A signature takes about as long as 20,000 instructions.
    try call.charge(20_000)
    let signer = try SigningKey(pem: Secret(key), field: "key")
    return .secret(LuaSecret(try signer.sign(claims, keyID: table["keyID"].stringValue)))
  }

  /// `oauth.exchange(credential, { token =, clientID =, clientSecret =, clientAuthentication = })`.
  private static func exchange(
    _ arguments: [LuaValue], _ session: PluginSession
  ) async throws -> LuaValue {
    guard arguments.count == 2, let credential = arguments[0].tableValue,
      let options = arguments[1].tableValue, let endpoint = options["token"].stringValue
    else {
      throw LuaArgumentError("oauth.exchange takes the credential and { token = \"https://…\" }")
    }
    let names = ["token", "clientID", "clientSecret", "clientAuthentication"]
    if let unknown = options.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw LuaArgumentError(
        "oauth.exchange has no option \"\(unknown)\"; \(hint(for: unknown, among: names))")
    }
    func field(_ name: String, _ table: LuaTable) throws -> String? {
      table[name].isNil ? nil : try RequestText.sent(table[name], of: name)
    }
    let secret = try field("clientSecret", options).map { Secret($0) }
    let authentication: ClientAuthentication =
      switch (options["clientAuthentication"].stringValue ?? "post", secret) {
      case ("basic", .some(let secret)): .basic(secret)
      case ("post", .some(let secret)): .body(secret)
      default: .none
      }
    guard let code = try field("code", credential),
      let redirectURI = try field("redirectURI", credential)
    else { throw LuaArgumentError("oauth.exchange needs a credential with code and redirectURI") }
    let client = OAuthClient(
      transport: session.transport, endpoints: OAuthEndpoints(authorize: "", token: endpoint),
      clientID: try field("clientID", options) ?? session.settings.required("clientID"),
      authentication: authentication)
    let tokens = try await client.exchange(
      code: code, redirectURI: redirectURI, codeVerifier: try field("codeVerifier", credential))
    var table = LuaTable()
    func opaque(_ token: Secret<String>?) -> LuaValue {
      token.map { .secret(LuaSecret($0.reveal())) } ?? .nil
    }
    if case .table(let answer) = TokenAnswer.lua(tokens.members) { table = answer }
    table["accessToken"] = opaque(tokens.accessToken)
    table["idToken"] = opaque(tokens.idToken)
    table["refreshToken"] = opaque(tokens.refreshToken)
    table["scope"] = .optional(tokens.scope)
    return .table(table)
  }
}
