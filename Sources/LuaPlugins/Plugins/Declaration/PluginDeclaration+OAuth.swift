import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `kind = "oauth2"`.
extension PluginDeclaration {
  static let oauth2Fields =
    [
      "authorize", "token", "userinfo", "scopes", "app", "profile", "identity", "textBooleans",
    ] + browserFields

  static func oauth2(_ reader: DeclarationReader, _ names: Set<String>) throws -> OAuthTemplate {
    var flow = try browserFlow(reader, names)
    flow.authentication = flow.authentication ?? .post
    flow.userInfo = try request("userinfo", reader, names)
    let subject = reader.table["identity"].tableValue?["subject"].stringValue
    let isInTokens = subject?.hasPrefix(TokenAnswer.member) == true
    guard flow.userInfo != nil || reader.isFunction("profile") || isInTokens else {
      throw reader.mistake(
        "userinfo", "userinfo is missing",
        remedy: "Write userinfo = \"https://…\", which names the person of a token.")
    }
    guard (flow.browser.authorize == nil) == (flow.browser.token == nil) else {
      let missing = flow.browser.token == nil ? "token" : "authorize"
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

  static func functionOrNothing(_ name: String, _ reader: DeclarationReader) throws {
    guard !reader.has(name) || reader.isFunction(name) else {
      throw reader.mistake(name, "\(name) must be a function")
    }
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
    if flow.browser.authorize != nil { builders.append(codeBuilder) }
    return builders
  }

  static let codeBuilder = CredentialBuilder(
    AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields)
}
