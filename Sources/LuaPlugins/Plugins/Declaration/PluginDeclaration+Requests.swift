import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading the requests of oauth2 and oidc: the browser's flow, endpoints, renewals and revocation.
extension PluginDeclaration {
  static let browserFields = [
    "revoke", "refresh", "parameters", "clientAuthentication", "pkce", "tokenRequest",
    "scopeSeparator",
  ]

  /// Reads the fields that oauth2 and oidc share.
  static func browserFlow(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> OAuthTemplate {
    var flow = OAuthTemplate()
    flow.browser.authorize = try reader.url("authorize", names)
    flow.browser.token = try reader.url("token", names)
    flow.browser.parameters = try reader.templates("parameters", names)
    try pkce(reader, &flow.browser)
    flow.browser.scopeSeparator = try reader.text("scopeSeparator") ?? " "
    if let inner = try reader.inner("tokenRequest") {
      flow.browser.request = try tokenRequest(inner, names)
    }
    flow.browser.refresh = try refresh(reader, names, like: flow.browser.request)
    flow.authentication = try reader.choice(
      "clientAuthentication", ClientAuthenticationMethod.self)
    flow.revoke = try revoke(reader, names, clientNames: flow.browser.request.form.names)
    return flow
  }

  private static func revoke(
    _ reader: DeclarationReader, _ names: Set<String>, clientNames: [String: String]
  ) throws -> OAuthTemplate.Revoke? {
    if reader.isFunction("revoke") { return .function }
    guard reader.table["revoke"].tableValue != nil else {
      return try reader.url("revoke", names).map { .standard($0) }
    }
    guard
      var request = try request(
        "revoke", reader, names, besides: ["authentication"],
        placeholders: ["token", "accessToken"])
    else { return nil }
    let method = try reader.inner("revoke")?.choice(
      "authentication", ClientAuthenticationMethod.self)
    request.clientNames = clientNames.filter { !$0.value.isEmpty }
    if let method {
      request.authentication = method
      // A client that shows itself says nowhere else whose token it is.
      let isNamed = [request.query, request.form, request.json]
        .contains { $0.values.contains { $0.names.contains("token") } }
      guard isNamed || method == .none else {
        throw reader.mistake(
          "revoke", "revoke does not name the token", remedy: "Add form = { token = \"{token}\" }.")
      }
    }
    return .request(request)
  }

  private static func refresh(
    _ reader: DeclarationReader, _ names: Set<String>, like usual: TokenRequestTemplate
  ) throws -> (url: URLTemplate, request: TokenRequestTemplate)? {
    guard reader.has("refresh") else { return nil }
    if let text = reader.table["refresh"].stringValue {
      return (try reader.template("refresh", text: text, names), usual)
    }
    guard let inner = try reader.inner("refresh") else { return nil }
    guard inner.table.array.count == 1, let text = inner.table.array[0].stringValue else {
      throw reader.mistake(
        "refresh", "refresh has no address", remedy: "Write refresh = { \"https://…\", … }.")
    }
    let url = try reader.template("refresh", text: text, names)
    return (url, inner.table.fields.isEmpty ? usual : try tokenRequest(inner, names))
  }

  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  private enum Format: String, CaseIterable {
    case form, json
  }

  /// Reads the form of token requests.
  private static func tokenRequest(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> TokenRequestTemplate {
    try reader.refuseUnknown(["method", "format", "names", "fields", "headers"])
    var request = TokenRequestTemplate()
    request.form.method = try reader.choice("method", Method.self) == .get ? .get : .post
    request.form.isJSON = try reader.choice("format", Format.self) == .json
    guard request.form.method == .post || !request.form.isJSON else {
      throw reader.mistake(
        "format", "a GET has no body for JSON", remedy: "Write method = \"POST\".")
    }
    if let inner = try reader.inner("names") {
      try inner.refuseUnknown(TokenRequest.renamed)
      for (name, value) in inner.table.fields {
        let isOmitted = value.boolValue == false
        guard let own = isOmitted ? "" : value.stringValue, isOmitted || !own.isEmpty else {
          throw inner.mistake(
            name, "\(inner.place)\(name) must be a name, or false to omit it")
        }
        request.form.names[name] = own
      }
    }
    request.fields = try reader.templates("fields", names)
    request.headers = try reader.templates("headers", names)
    let sent = TokenRequest.renamed.map { request.form.names[$0] ?? $0 }
    if let twice = request.fields.keys.sorted().first(where: sent.contains) {
      throw reader.mistake(
        "fields", "\(reader.place)fields has \(twice), which is sent anyway",
        remedy: "Leave it out; names gives a parameter another name.")
    }
    return request
  }

  /// Reads an endpoint: its address, or a table of the address and the details of its requests.
  static func request(
    _ name: String, _ reader: DeclarationReader, _ names: Set<String>, besides: [String] = [],
    placeholders: Set<String> = ["accessToken"]
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
    let all = names.union(placeholders)
    var request = RequestTemplate(url: try reader.template(name, text: url, names))
    request.headers = try inner.templates("headers", all)
    request.query = try inner.templates("query", all)
    request.form = try inner.templates("form", all)
    request.json = try inner.templates("json", all)
    if try inner.flag("basic") == true { request.authentication = .basic }
    let hasBody = !request.form.isEmpty || !request.json.isEmpty
    if name == "revoke", inner.table["method"].stringValue == "DELETE" {
      request.method = .delete
    } else {
      let usual: Method = hasBody ? .post : .get
      let method = try inner.choice("method", Method.self) ?? usual
      request.method = method == .post ? .post : .get
    }
    let isElsewhere = [request.headers, request.query, request.form, request.json]
      .contains { $0.values.contains { !placeholders.isDisjoint(with: $0.names) } }
    switch try inner.text("scheme") {
    case "none": request.scheme = nil
    case let scheme?: request.scheme = scheme
    case nil: request.scheme = isElsewhere || request.authentication == .basic ? nil : "Bearer"
    }
    return request
  }
}
