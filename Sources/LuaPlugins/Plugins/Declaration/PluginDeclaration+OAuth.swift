import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `kind = "oauth2"`.
extension PluginDeclaration {
  static let oauth2Fields = [
    "authorize", "token", "userinfo", "revoke", "scopes", "parameters", "clientAuthentication",
    "pkce", "app", "profile", "identity", "textBooleans",
  ]

  static func oauth2(_ reader: DeclarationReader, _ names: Set<String>) throws -> OAuthTemplate {
    var flow = try browserFlow(reader, names)
    flow.authentication =
      try reader.choice("clientAuthentication", OAuthTemplate.Authentication.self) ?? .post
    flow.userInfo = try request("userinfo", reader, names)
    guard flow.userInfo != nil || reader.isFunction("profile") else {
      throw reader.mistake(
        "userinfo", "userinfo is missing",
        remedy: "Write userinfo = \"https://…\", which names the person of a token.")
    }
    guard (flow.authorize == nil) == (flow.token == nil) else {
      let missing = flow.token == nil ? "token" : "authorize"
      throw reader.mistake(
        missing, "\(missing) is missing", remedy: "Give both authorize and token, or neither.")
    }
    if reader.isFunction("app") {
      flow.app = .function
    } else if reader.has("app") {
      flow.app = try app(reader, names)
    }
    try functionOrNothing("profile", reader)
    return flow
  }

  private static func app(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> OAuthTemplate.App {
    guard let inner = try reader.inner("app"),
      let request = try request("app", reader, names, besides: ["clientID", "subject"])
    else { throw reader.mistake("app", "app must be a table or a function") }
    let text = try inner.requiredText("clientID", "\"application.id\"")
    guard let path = PluginPath(text) else {
      throw inner.mistake("clientID", "\"\(text)\" is no path", remedy: "Write application.id.")
    }
    let subject = try inner.text("subject").map { text in
      guard let path = PluginPath(text) else {
        throw inner.mistake("subject", "\"\(text)\" is no path", remedy: "Write user.id.")
      }
      return path
    }
    return .request(request, clientID: path, subject: subject)
  }

  /// Reads the fields that oauth2 and oidc share.
  static func browserFlow(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> OAuthTemplate {
    var flow = OAuthTemplate()
    flow.authorize = try reader.url("authorize", names)
    flow.token = try reader.url("token", names)
    flow.revoke = try reader.url("revoke", names)
    flow.parameters = try reader.templates("parameters", names)
    flow.hasPKCE = try reader.flag("pkce") ?? true
    return flow
  }

  static func functionOrNothing(_ name: String, _ reader: DeclarationReader) throws {
    guard !reader.has(name) || reader.isFunction(name) else {
      throw reader.mistake(name, "\(name) must be a function")
    }
  }

  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  /// Reads an endpoint: its address, or a table of the address and the details of its requests.
  static func request(
    _ name: String, _ reader: DeclarationReader, _ names: Set<String>, besides: [String] = []
  ) throws -> RequestTemplate? {
    guard reader.has(name) else { return nil }
    if let url = reader.table[name].stringValue {
      return RequestTemplate(url: try reader.template(name, text: url, names))
    }
    guard let inner = try reader.inner(name) else { return nil }
    try inner.refuseUnknown(
      ["method", "headers", "query", "form", "json", "scheme", "basic"] + besides)
    guard inner.table.array.count == 1, let url = inner.table.array[0].stringValue else {
      throw reader.mistake(
        name, "\(name) has no address", remedy: "Write \(name) = { \"https://…\", … }.")
    }
    let all = names.union(["accessToken"])
    var request = RequestTemplate(url: try reader.template(name, text: url, names))
    request.headers = try inner.templates("headers", all)
    request.query = try inner.templates("query", all)
    request.form = try inner.templates("form", all)
    request.json = try inner.templates("json", all)
    request.isBasic = try inner.flag("basic") ?? false
    let hasBody = !request.form.isEmpty || !request.json.isEmpty
    switch try inner.choice("method", Method.self) ?? (hasBody ? .post : .get) {
    case .get: request.method = .get
    case .post: request.method = .post
    }
    let isElsewhere = [request.headers, request.query, request.form, request.json]
      .contains { $0.values.contains { $0.names.contains("accessToken") } }
    switch try inner.text("scheme") {
    case "none": request.scheme = nil
    case let scheme?: request.scheme = scheme
    case nil: request.scheme = isElsewhere || request.isBasic ? nil : "Bearer"
    }
    return request
  }

  static func builders(_ flow: OAuthTemplate) -> [CredentialBuilder] {
    var builders: [CredentialBuilder] = []
    // An access token of another app would describe the person just as well.
    if flow.app != nil {
      builders.append(
        CredentialBuilder(
          "accessToken",
          fields: [CredentialField("accessToken", secret: true, "an access token of the app")]))
    }
    if flow.authorize != nil { builders.append(codeBuilder) }
    return builders
  }

  static let codeBuilder = CredentialBuilder(
    AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields)
}
