import AuthCore
public import LuaPlugins
public import SessionTokens

/// The parts of the process that the administration (`/admin/v1`) needs besides the graph.
public struct Administration: Sendable {
  /// The tokens of admins; nil for new ones over the store.
  ///
  /// Pass the instance that requests are checked with, so that a revoked token is refused at once.
  public var tokens: AdminTokens?
  /// The loaded plug-ins; nil if the process has none to list and reload.
  public var plugins: PluginSet?
  /// The consoles that admins open over HTTP; nil if there are none.
  public var consoles: (any ConsoleServing)?

  /// Makes an administration of a process's tokens, plug-ins and consoles.
  public init(
    tokens: AdminTokens? = nil, plugins: PluginSet? = nil, consoles: (any ConsoleServing)? = nil
  ) {
    self.tokens = tokens
    self.plugins = plugins
    self.consoles = consoles
  }
}

extension ServerServices {
  /// The instance that requests are checked with, so that a revoked token is refused at once.
  var adminTokens: AdminTokens {
    administration.tokens ?? AdminTokens(store: graph.store, clock: clock)
  }
}
