extension PluginDeclaration {
  /// The names of the settings that are host names, which other modules see as texts.
  package var hostSettings: Set<String> {
    Set(ownSettings.filter { $0.type == .host }.map(\.name))
  }
}
