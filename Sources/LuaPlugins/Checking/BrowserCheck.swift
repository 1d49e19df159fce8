import AuthCore
import BuiltInProviders
import Foundation

/// Finds browser sign-ins that no callback can end, and files whose name is not their provider's ID.
enum BrowserCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] { state(text) + names(text) }

  /// Finds an address without the state: every callback of such a sign-in is refused.
  private static func state(_ text: PluginText) -> [PluginFinding] {
    guard case .custom(let custom) = text.declaration.flow, let browser = custom.authorize,
      !passesState(browser, text)
    else { return [] }
    return [
      text.finding(
        "no-state", field: "authorize",
        "The address at which a browser signs in has no state, so every callback is refused.",
        remedy: browser.url == nil
          ? "Put request.state into the address."
          : "Add state = \"{state}\" to authorize.parameters.")
    ]
  }

  private static func passesState(
    _ browser: CustomTemplate.BrowserTemplate, _ text: PluginText
  ) -> Bool {
    if let url = browser.url {
      return ([url] + browser.parameters.values).contains { $0.names.contains("state") }
    }
    guard let function = text.functions["authorize"], let request = function.parameters.first
    else { return true }
    var passes = false
    var walk = LuaWalk()
    walk.expression = { value, _ in
      switch value.kind {
      case .index(let base, let key) where base.nameValue == request:
        passes = passes || key.textValue == "state" || key.textValue == nil
      // The whole request may be read elsewhere.
      case .call(_, let arguments):
        passes = passes || arguments.contains { $0.nameValue == request }
      default: break
      }
    }
    walk.go(through: function.body)
    return passes
  }

  private static func names(_ text: PluginText) -> [PluginFinding] {
    guard let path = text.source.path else { return [] }
    // A bundle's own name has the version, and the file in it has the ID.
    let file = URL(filePath: text.source.isBundled ? text.source.name : path)
      .deletingPathExtension().lastPathComponent
    let id = text.declaration.id.rawValue
    guard file != id else { return [] }
    return [
      text.finding(
        "other-id", .warning, field: "id", "The file is named \(file), and its provider \(id).",
        remedy: "Name the file \(id).lua, so that people find the provider by its ID.")
    ]
  }
}
