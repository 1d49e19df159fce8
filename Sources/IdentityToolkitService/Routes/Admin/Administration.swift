public import LuaPlugins
public import SessionTokens

/// What the administration's paths (`/admin/v1`) need of the process beside the graph.
public struct Administration: Sendable {
  /// The tokens of admins.
  ///
  /// Those that requests are checked by, so that a revoked one is refused at once; nil for ones of the store's
  /// own.
  public var tokens: AdminTokens?
  /// The plug-ins that were loaded; nil where there are none to list and reload.
  public var plugins: PluginSet?

  public init(tokens: AdminTokens? = nil, plugins: PluginSet? = nil) {
    self.tokens = tokens
    self.plugins = plugins
  }
}
