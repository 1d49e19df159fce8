import AuthCore
import LuaRuntime

extension PluginDeclaration {
  /// The callback's parameter for each field of the credential; `*` for all of them as one text.
  package var callbackParameters: [String: String] {
    guard case .custom(let custom) = flow else { return ["code": "code"] }
    return custom.authorize?.callback ?? [:]
  }

  /// The fields of the credential that a browser sign-in fills without the callback.
  private static let filledFields = ["redirectURI", "codeVerifier", "nonce"]

  /// Checks that the callback of a custom browser sign-in fills fields that the credential has, and all it needs.
  static func checkCallback(
    _ flow: PluginFlow, _ builders: [CredentialBuilder], _ reader: DeclarationReader
  ) throws {
    guard case .custom(let custom) = flow, let callback = custom.authorize?.callback,
      let builder = builders.first(where: { $0.name == AuthorizationGrant.builderName })
    else { return }
    let names = builder.fields.map(\.name)
    if let unknown = callback.keys.sorted().first(where: { !names.contains($0) }) {
      throw reader.mistake(
        "authorize.callback", "the credential authorizationCode has no field \"\(unknown)\"",
        remedy: suggestion(for: unknown, among: names))
    }
    let missing = builder.fields.first { field in
      field.isRequired && callback[field.name] == nil && !filledFields.contains(field.name)
    }
    guard let missing else { return }
    throw reader.mistake(
      "authorize.callback", "no parameter of the callback fills the required \(missing.name)",
      remedy: "Name it: callback = { \(missing.name) = \"…\" }, or make the field optional.")
  }
}
