public import AuthCore

/// A provider that a Lua file declares; to everything else one like any other.
///
/// LuaPlugins turns Lua files into what AuthCore asks for: providers and merge policies. For providers start
/// here, then read ``PluginDeclaration`` (what a file says), `PluginRunner` (how its functions run) and
/// ``PluginSet`` (how files are loaded and replaced).
public protocol LuaProvider: SettingsChecking {
  var core: LoadedPlugin { get }
}

extension LuaProvider {
  public var source: PluginSource { core.source }
  public var declaration: PluginDeclaration { core.declaration }
  public var id: ProviderID { core.declaration.id }
  public var manifest: ProviderManifest { core.manifest }

  public func verify(
    _ credential: AuthCredential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    try await core.verify(credential, context)
  }

  public func check(_ settings: ProviderSettings) throws { try core.check(settings) }
}

/// Makes providers of plug-in files.
public enum LuaPlugin {
  /// Reads a file's declaration, and makes the provider that it declares.
  ///
  /// Nothing of the file is executed but its declaration. Throws `invalid-plugin` with file, line and field.
  public static func provider(
    _ source: PluginSource, host: PluginHost
  ) throws(AuthError) -> any LuaProvider {
    let core = try LoadedPlugin(source, host)
    switch core.declaration.flow {
    case .oauth2(let flow) where flow.authorize == nil: return LuaPlainProvider(core: core)
    case .oauth2, .oidc: return LuaOAuthProvider(core: core)
    case .custom(let custom):
      guard custom.authorize != nil else { return LuaPlainProvider(core: core) }
      return LuaBrowserProvider(core: core)
    }
  }
}
