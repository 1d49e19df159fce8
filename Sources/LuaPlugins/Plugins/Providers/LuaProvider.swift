public import AuthCore
public import BuiltInProviders

/// A provider that a Lua file declares, used like any other provider.
///
/// LuaPlugins turns Lua files into providers and merge policies for AuthCore. For providers start here, then read
/// ``PluginDeclaration`` (the contents of a file), `PluginRunner` (running its functions) and ``PluginSet``
/// (loading and replacing files).
public protocol LuaProvider: AuthorizationFlow, Revoking, Refreshing, EventReceiving,
  SettingsChecking
{
  /// The version of the plug-in.
  var core: LoadedPlugin { get }
  /// The provider that executes the declaration in the file.
  var declared: DeclaredProvider { get }
}

extension LuaProvider {
  /// The text of the file.
  public var source: PluginSource { core.source }
  /// The declaration in the file.
  public var declaration: PluginDeclaration { core.declaration }
  /// The declared ID.
  public var id: ProviderID { core.declaration.id }
  /// The manifest made from the declaration.
  public var manifest: ProviderManifest { declared.manifest }
  /// True if a browser can sign in at the vendor.
  public var hasBrowserFlow: Bool { declared.declaration.browser != nil }

  /// Verifies a credential with the plug-in's declaration and functions.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    try await declared.verify(credential, context)
  }

  /// Returns the address at which a browser signs in.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    core.beginFlow(at: core.host.clock())
    return try await declared.authorizationURL(request, context)
  }

  /// Returns the issuer that a callback may name.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    try await declared.callbackIssuer(context)
  }

  /// Takes the credential's fields from a callback.
  public func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    try declared.credentialFields(from: callback)
  }

  /// Revokes a token at the vendor.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    try await declared.revoke(token, context)
  }

  /// Renews the identity with a refresh token; throws `user-mismatch` if the vendor names another subject.
  public func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    try await declared.refresh(refreshToken, of: key, context)
  }

  /// Checks settings that would fail only at a sign-in.
  public func check(_ settings: ProviderSettings) throws { try core.check(settings) }
}

/// A plug-in file as a provider.
struct LoadedProvider: LuaProvider {
  let core: LoadedPlugin
  let declared: DeclaredProvider

  init(_ core: LoadedPlugin) {
    self.core = core
    declared = DeclaredProvider(core.declared) { context, credential in
      try PluginSession(core, context, credential: credential)
    }
  }
}

/// Makes providers of plug-in files.
public enum LuaPlugin {
  /// Reads a file's declaration, and makes the declared provider.
  ///
  /// Only the declaration of the file runs. Throws `invalid-plugin` with file, line and field.
  public static func provider(
    _ source: PluginSource, host: PluginHost
  ) throws(AuthError) -> any LuaProvider {
    LoadedProvider(try LoadedPlugin(source, host))
  }
}
