/// Finds omissions in what a plug-in for others says about itself, and undefined names in its modules.
enum ContractCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    let metadata = text.declaration.metadata
    guard metadata.version != nil, metadata.api == nil else { return [] }
    return [
      text.finding(
        "missing-api", .warning, field: "version",
        "The file has a version for others, and does not say which language it is written in.",
        remedy: "Write api = \(PluginContract.api).")
    ]
  }

  /// The findings in the shared modules that a file includes.
  static func modules(of text: PluginText) -> [PluginFinding] {
    text.source.modules.flatMap { module in
      NameCheck.findings(
        PluginText(
          source: PluginSource(name: module.name, text: module.text, path: nil, modules: []),
          declaration: text.declaration,
          statements: (try? LuaParser.statements(of: module.text)) ?? []))
    }
  }
}
