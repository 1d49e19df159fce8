public import AuthCore

/// A provider that executes a declaration: the one engine of vendors in Swift and in Lua.
///
/// An ability that the declaration lacks throws `operation-not-allowed`.
public struct DeclaredProvider: AuthorizationFlow, Revoking, Refreshing, SettingsChecking {
  package let declaration: ProviderDeclaration
  private let begin: @Sendable (VerificationContext, Credential?) throws -> any ProviderSession

  /// Makes the provider of a declaration; `begin` makes the session of each use.
  package init(
    _ declaration: ProviderDeclaration,
    begin: @escaping @Sendable (VerificationContext, Credential?) throws -> any ProviderSession
  ) {
    self.declaration = declaration
    self.begin = begin
  }

  /// Makes a provider that ships in Swift.
  ///
  /// - Parameters:
  ///   - declaration: the vendor's declaration.
  ///   - transport: sends the requests.
  ///   - keys: the process's cache of public keys.
  ///   - discovery: the process's cache of discovery documents; nil for one of its own.
  package init(
    _ declaration: ProviderDeclaration, transport: any HTTPTransport, keys: KeyCache,
    discovery: DiscoveryCache? = nil
  ) {
    let discovery = discovery ?? DiscoveryCache(transport: transport)
    self.init(declaration) { context, _ in
      SettingsSession(
        settings: context.settings, now: context.now, network: transport, keys: keys,
        discovery: discovery, values: declaration.values)
    }
  }

  /// The declared ID.
  public var id: ProviderID { declaration.id }

  /// The declared name, builders, hosts and settings.
  public var manifest: ProviderManifest { declaration.manifest }

  /// Verifies a credential by the declaration.
  ///
  /// Throws `invalid-credential`, `missing-or-invalid-nonce`, `network-request-failed`, and `operation-not-allowed`
  /// if the provider is not set up.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    guard let builder = manifest.builders.first(where: { $0.name == credential.builder }) else {
      throw credential.unknownBuilder
    }
    for field in builder.fields where field.isRequired { _ = try credential.required(field.name) }
    return try await use(context, credential) { try await $0.verify(credential) }
  }

  /// Returns the address at which a browser signs in.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    guard declaration.browser != nil else { throw AuthError.noBrowserFlow(id) }
    return try await use(context) { try await $0.authorizationURL(request) }
  }

  /// Returns the issuer that a callback may name, which is required if the discovery document promises it.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    try await use(context) { try await $0.callbackIssuer() }
  }

  /// Takes the credential's fields from a callback.
  public func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    if let take = declaration.browser?.callback { return try take(callback) }
    guard let code = callback["code"], !code.isEmpty else {
      throw .refusedCallback("it has no code", field: "code")
    }
    let more = declaration.browser?.optional(callback) ?? [:]
    return ["code": code].merging(more.compactMapValues(\.self)) { $1 }
  }

  /// Revokes a token at the vendor.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    guard let revocation = declaration.revocation else { throw AuthError.noRevocation(id) }
    try await use(context) { try await $0.revoke(token, by: revocation) }
  }

  /// Renews the identity with a refresh token; throws `user-mismatch` if the vendor names another subject.
  public func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    guard let renewal = declaration.renewal else { throw AuthError.noRenewal(id) }
    let identity = try await use(context) { try await $0.renew(refreshToken, by: renewal) }
    if let renewed = identity.key { try key.requireSame(renewed) }
    return identity
  }

  /// Checks settings that would fail only at a sign-in.
  public func check(_ settings: ProviderSettings) throws { try declaration.check(settings) }

  func use<Result>(
    _ context: VerificationContext, _ credential: Credential? = nil,
    _ body: (ProviderUse) async throws -> Result
  ) async throws -> Result {
    let session = try begin(context, credential)
    do {
      return try await body(ProviderUse(declaration: declaration, session: session))
    } catch {
      throw session.reported(error)
    }
  }
}

extension IdentityKey {
  /// Checks that a renewed identity has the same key; throws `user-mismatch`.
  func requireSame(_ renewed: IdentityKey) throws(AuthError) {
    guard self == renewed else {
      throw AuthError(
        .userMismatch, "\(provider) renewed the sign-in of another subject.", field: "sub",
        remedy: "Sign in again with the provider.", step: .token)
    }
  }
}
