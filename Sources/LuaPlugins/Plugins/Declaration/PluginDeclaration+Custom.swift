import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `kind = "custom"`.
extension PluginDeclaration {
  static let customFields = [
    "credentials", "tokens", "authorize", "verify", "revoke", "refresh", "textBooleans",
  ]

  static func custom(_ reader: DeclarationReader, _ names: Set<String>) throws -> CustomTemplate {
    guard reader.isFunction("verify") else {
      throw reader.mistake(
        "verify", "verify is missing",
        remedy: "Write verify = function(credential, http, settings) … end.")
    }
    for name in ["revoke", "refresh"] { try functionOrNothing(name, reader) }
    var custom = CustomTemplate()
    if reader.isFunction("authorize") {
      custom.authorize = CustomTemplate.BrowserTemplate()
    } else if let inner = try reader.inner("authorize") {
      try inner.refuseUnknown(["parameters", "callback"])
      let all = names.union(["state", "redirectURI", "codeChallenge", "nonce"])
      var browser = CustomTemplate.BrowserTemplate()
      if let url = inner.table[1].stringValue {
        browser.url = try reader.template("authorize", text: url, all)
      } else if inner.table[1].functionValue != nil {
        browser.place = "authorize.1"
      } else {
        throw reader.mistake(
          "authorize", "authorize has no address",
          remedy: "Write authorize = { \"https://…\", parameters = { … } }.")
      }
      browser.parameters = try inner.templates("parameters", all)
      if let callback = try inner.inner("callback") {
        browser.callback = try callback.table.fields.mapValues { value in
          guard let parameter = value.stringValue else {
            throw inner.mistake("callback", "authorize.callback must be a table of texts")
          }
          return parameter
        }
      }
      custom.authorize = browser
    }
    return custom
  }

  static func builders(
    _ reader: DeclarationReader, isBrowserFlow: Bool
  ) throws -> [CredentialBuilder] {
    guard let all = try reader.inner("credentials"), !all.table.fields.isEmpty else {
      throw reader.mistake(
        "credentials", "credentials is missing",
        remedy: "Write credentials = { accessToken = { accessToken = field.secret \"…\" } }.")
    }
    if isBrowserFlow, !all.has(AuthorizationGrant.builderName) {
      throw reader.mistake(
        "credentials", "there is authorize and no credential authorizationCode",
        remedy: "Declare authorizationCode = { code = field.secret \"…\" } among credentials.")
    }
    return try all.table.fields.keys.sorted().compactMap { name in
      guard let inner = try all.inner(name) else { return nil }
      let fields = try inner.table.fields.sorted { $0.key < $1.key }.map { field, value in
        guard let draft = value.objectValue?.value as? FieldDraft else {
          throw inner.mistake(
            field, "\(inner.place)\(field) is no field",
            remedy: "Write \(field) = field.secret \"what it is\".")
        }
        return draft.field(named: field)
      }
      guard !fields.isEmpty else {
        throw all.mistake(name, "the credential \(name) has no fields")
      }
      return CredentialBuilder(name, fields: fields)
    }
  }
}
