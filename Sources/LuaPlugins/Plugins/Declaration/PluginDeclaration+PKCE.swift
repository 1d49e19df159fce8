import AuthCore
import BuiltInProviders
import LuaRuntime

/// Reading `pkce`: true, false, or the name of a flag setting.
extension PluginDeclaration {
  static func pkce(_ reader: DeclarationReader, _ browser: inout BrowserRule) throws {
    guard let name = reader.table["pkce"].stringValue else {
      browser.hasPKCE = try reader.flag("pkce") ?? true
      return
    }
    let setting = reader.table["settings"].tableValue?[name].objectValue?.value as? SettingDraft
    guard let setting, setting.type == .flag else {
      throw reader.mistake(
        "pkce", "pkce names \(name), which is no setting of type flag",
        remedy: "Declare settings = { \(name) = setting.flag \"…\" }, or write pkce = false.")
    }
    browser.hasPKCE = setting.fallback == true
    browser.pkceSetting = name
  }

  /// True if a setting decides on PKCE.
  public var choosesPKCE: Bool {
    switch flow {
    case .oauth2(let flow): flow.browser.pkceSetting != nil
    case .oidc(let oidc): oidc.flow.browser.pkceSetting != nil
    case .custom: false
    }
  }
}
