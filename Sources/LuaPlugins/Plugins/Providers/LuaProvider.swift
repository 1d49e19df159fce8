public import AuthCore

/// A provider that a Lua file declares, used like any other provider.
///
/// LuaPlugins turns Lua files into providers and merge policies for AuthCore. For providers start here, then read
/// ``PluginDeclaration`` (the contents of a file), `PluginRunner` (running its functions) and ``PluginSet``
/// (loading and replacing files).
public protocol LuaProvider: SettingsChecking {
  /// The version of the plug-in.
  var core: LoadedPlugin { get }
}

extension LuaProvider {
  /// The text of the file.
  public var source: PluginSource { core.source }
  /// The declaration in the file.
  public var declaration: PluginDeclaration { core.declaration }
  /// The declared ID.
  public var id: ProviderID { core.declaration.id }
  /// The manifest made from the declaration.
  public var manifest: ProviderManifest { core.manifest }

  /// Verifies a credential with the plug-in's declaration and functions.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    try await core.verify(credential, context)
  }

  /// Checks settings that would fail only at a sign-in.
  public func check(_ settings: ProviderSettings) throws { try core.check(settings) }
}

/// Makes providers of plug-in files.
public enum LuaPlugin {
  /// Reads a file's declaration, and makes the declared provider.
  ///
  /// Only the declaration of the file runs. Throws `invalid-plugin` with file, line and field.
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
