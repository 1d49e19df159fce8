import AuthCore
import IdentityToolkit
import SessionTokens

/// The decisions of Firebase's emulator, which is for tests: it believes its clients, and nothing expires.
struct EmulatorBehavior: ServiceBehavior {
  let memory = EmulatorMemory()
}

extension EmulatorBehavior {
  var quirks: EmulatorQuirks { .emulator }
  // A developer may be stepping through the function in a debugger.
  var functionTimeout: Duration { .seconds(60) }
  func tokenStyle(_ signing: SigningAlgorithm) -> TokenService.Style { .unsigned }

  func providers(_ registry: ProviderRegistry) -> ProviderRegistry { .emulator(over: registry) }

  func appVerifier(_ verifier: (any AppVerifying)?) -> (any AppVerifying)? { nil }
}

extension EmulatorBehavior {
  var spreadsJSON: Bool { true }

  func takes(_ path: RoutePath) -> Bool {
    !["publicKeys", "signInWithGameCenter", "verifyClient"].contains(path.olderName)
  }

  func serves(_ project: String, _ settings: ServerSettings) -> Bool { true }

  func project(ofKey key: String, _ settings: ServerSettings) throws(WireError) -> String {
    settings.project
  }

  func right(
    of token: String, named project: String?, _ services: ServerServices
  ) async throws -> AdminRight? {
    guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { return nil }
    return AdminRight(
      name: "owner", scopes: ["all", "server"], project: services.settings.project)
  }

  func rateLimits(_ settings: ServerSettings) -> RateLimits { .none }
  func refuse(unknown name: String?) throws(WireError) {}

  /// Creates a project or tenant when a request first names it.
  func open(_ scope: Scope, _ scopes: KnownScopes) async throws -> Bool {
    guard TextBounds.providerID.allow(scope.project) else { throw WireError("INVALID_PROJECT_ID") }
    let caller = Caller(scope: scope, authority: .admin("emulator"), reason: "first named")
    guard let tenant = scope.tenant else {
      _ = try await scopes.graph.changeSettings(by: caller) { settings in
        settings.signIn.hidesAccounts = false
        settings.allowsUnlinkingLastMethod = true
      }
      return true
    }
    let project = Scope(project: scope.project)
    try await scopes.require(project)
    var settings = try await scopes.graph.settings(of: project)
    settings.providers = [:]
    settings.keyProbe = nil
    settings.signIn.multiFactor.allowsTOTP = false
    _ = try await scopes.graph.createTenant(
      tenant, in: scope.project, settings: settings, by: caller)
    return true
  }

  var frontPage: JSONValue {
    [
      "authEmulator": [
        "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite",
        "apiSpec": "/emulator/openapi.json",
      ]
    ]
  }
}

extension EmulatorBehavior {
  /// Compares the time of issue in seconds.
  func isOver(_ token: IDToken, since validSince: Timestamp) -> Bool {
    token.issuedAt.milliseconds / 1000 < validSince.milliseconds / 1000
  }

  /// Finds an identity of the token's provider.
  ///
  /// The emulator's tokens name only a provider, and outlast its identities.
  func standing(of token: IDToken, on account: Account) -> IDToken.Standing {
    let provider = token.provider
    let own =
      provider == .password
      ? account.passwordIdentity ?? account.identities(of: .emailLink).first : nil
    return (own ?? account.identities(of: provider).first).map { .identity($0.key) } ?? .account
  }

  func shown(_ mark: SessionMark?) -> ShownMark { .untold }
  var sessionWithoutAccount: WireError { WireError("INVALID_REFRESH_TOKEN") }
  func checkKeys(_ services: ServerServices, project: String) async throws {}
}
