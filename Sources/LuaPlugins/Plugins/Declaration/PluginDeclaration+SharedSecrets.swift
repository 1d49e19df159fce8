import AuthCore
import BuiltInProviders
import LuaRuntime

/// The requirements of a token that is signed with a secret setting, with settings in them.
struct SharedSecretTemplate: Sendable {
  var issuer: URLTemplate
  var audiences: [URLTemplate]
  var algorithm: SharedSecretDeclaration.Algorithm
  /// The name of the secret setting.
  var secret: String
  var nonce = NonceRule.Presence.optional
  var maximumAge: Int64?

  func declaration(_ session: PluginSession) throws -> SharedSecretDeclaration {
    let filler = session.filler
    return SharedSecretDeclaration(
      issuers: try filler.urls(issuer), audiences: try audiences.map { try filler.text($0) },
      algorithm: algorithm, nonce: NonceRule(nonce, form: .either), maximumAge: maximumAge)
  }
}

/// Reading the tokens with a field `secret`: `tokens = { login = { …, algorithms = { "HS256" }, secret = "key" } }`.
extension PluginDeclaration {
  private enum Presence: String, CaseIterable {
    case optional, required
  }

  static func sharedSecretTokens(
    _ reader: DeclarationReader, _ names: Set<String>
  ) throws -> [String: SharedSecretTemplate] {
    guard let all = try reader.inner("tokens") else { return [:] }
    var tokens: [String: SharedSecretTemplate] = [:]
    for name in all.table.fields.keys.sorted() {
      guard let inner = try all.inner(name), inner.has("secret") else { continue }
      tokens[name] = try sharedSecretToken(inner, names, reader)
    }
    return tokens
  }

  private static func sharedSecretToken(
    _ inner: DeclarationReader, _ names: Set<String>, _ whole: DeclarationReader
  ) throws -> SharedSecretTemplate {
    try inner.refuseUnknown(["issuer", "audience", "algorithms", "secret", "nonce", "maximumAge"])
    let issuer = try inner.requiredText("issuer", "\"https://…\"")
    let audiences = try inner.texts("audience") ?? []
    guard !audiences.isEmpty else {
      throw inner.mistake(
        "audience", "\(inner.place)audience is missing",
        remedy: "Write audience = \"{clientID}\", or the aud that tokens have.")
    }
    var token = SharedSecretTemplate(
      issuer: try inner.template("issuer", text: issuer, names, isURL: false),
      audiences: try audiences.map {
        try inner.template("audience", text: $0, names, isURL: false)
      },
      algorithm: try algorithm(inner), secret: try secret(inner, whole))
    token.maximumAge = try inner.number("maximumAge")
    if try inner.choice("nonce", Presence.self) == .required { token.nonce = .required }
    return token
  }

  /// One algorithm alone, so that a token cannot choose.
  private static func algorithm(
    _ reader: DeclarationReader
  ) throws -> SharedSecretDeclaration.Algorithm {
    let algorithms = try reader.texts("algorithms") ?? []
    guard algorithms.count == 1,
      let algorithm = SharedSecretDeclaration.Algorithm(rawValue: algorithms[0])
    else {
      throw reader.mistake(
        "algorithms", "\(reader.place)algorithms must name one of HS256, HS384 and HS512",
        remedy: "Write algorithms = { \"HS256\" }, or keys in place of secret.")
    }
    return algorithm
  }

  private static func secret(
    _ reader: DeclarationReader, _ whole: DeclarationReader
  ) throws -> String {
    let name = try reader.requiredText("secret", "\"clientSecret\"")
    let setting = whole.table["settings"].tableValue?[name].objectValue?.value as? SettingDraft
    guard setting?.type == .secret else {
      throw reader.mistake(
        "secret", "\(reader.place)secret names \(name), which is no secret setting",
        remedy: "Declare settings = { \(name) = setting.secret \"…\" } and name it.")
    }
    return name
  }
}
