import AuthClient
import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import Foundation
import Testing

/// Actions of the project's admin.
extension AuthHome {
  private static let tokenIssuer = "server@demo-shop.example"

  func setUp(_ change: @escaping @Sendable (inout ProjectSettings) -> Void) async throws {
    if backend.isEmulator {
      // The emulator creates a project with default settings when it is first named.
      _ = try await auth.signInAnonymously().user.delete()
      traffic.forget()
    } else {
      try await vendors?.register(in: graph, by: admin)
      try await settings {
        $0.trust[.google] = .always
        $0.signIn.hidesAccounts = false
        $0.signIn.authorizedDomains = ["app.example"]
      }
    }
    try await settings(change)
  }

  func settings(_ change: @escaping @Sendable (inout ProjectSettings) -> Void) async throws {
    _ = try await graph.changeSettings(by: admin, change)
  }

  /// Creates a tenant with settings and returns its ID.
  func openTenant(
    _ change: @escaping @Sendable (inout ProjectSettings) -> Void = { _ in }
  ) async throws -> String {
    var settings = try await graph.settings(of: admin.scope)
    settings.providers = [:]
    settings.signIn.closedProviders = []
    settings.signIn.allowsSignUp = true
    change(&settings)
    let scope = try await graph.createTenant(in: Self.project, settings: settings, by: admin)
    return try #require(scope.tenant)
  }

  func change(_ user: User, _ change: (inout ProfileChanges) throws -> Void) async throws {
    var changes = ProfileChanges()
    try change(&changes)
    _ = try await graph.update(AccountID(user.uid), changes, by: admin)
  }

  func disable(_ user: User) async throws { try await change(user) { $0.disabled = true } }

  func verifyEmail(of user: User) async throws {
    try await change(user) { $0.emailVerified = true }
    try await user.reload()
  }

  func remove(_ user: User) async throws {
    _ = try await graph.delete(AccountID(user.uid), by: admin)
  }

  /// Ends every session of a user, from the next second on.
  func revokeSessions(of user: User) async throws {
    pass(seconds: 2)
    _ = try await graph.revokeSessions(of: AccountID(user.uid), by: admin)
  }

  func usePolicy(_ name: String, _ text: String) async throws {
    try await settings { $0.mergePolicy = PolicySource(name: name, text: text) }
  }

  /// Returns the number of accounts in the project.
  func accountCount() async throws -> Int { try await graph.accountCount(in: admin.scope) }

  /// Returns true if the uid has an account of its own and is not the alias of a survivor.
  func exists(_ uid: String) async throws -> Bool {
    try await graph.account(AccountID(uid), in: admin.scope)?.id == AccountID(uid)
  }

  /// Returns a token of the app's own server.
  func customToken(
    _ uid: String, issuer: String? = nil
  ) async throws -> String {
    let key = P256.Signing.PrivateKey().pemRepresentation
    let maker = try CustomTokenIssuer(issuer: Self.tokenIssuer, privateKey: Secret(key))
    if !backend.isEmulator {
      _ = try await graph.configure(
        .custom, values: ["publicKeys": [Self.tokenIssuer: .string(maker.publicKey)]],
        by: admin)
    }
    let signer =
      try issuer.map { try CustomTokenIssuer(issuer: $0, privateKey: Secret(key)) } ?? maker
    return try signer.token(for: AccountID(uid), now: clock.now).reveal()
  }
}

/// Settings of the project, by purpose.
extension AuthHome {
  func allowUnlinkingLastMethod() async throws {
    try await settings { $0.allowsUnlinkingLastMethod = true }
  }

  /// Hides who has an account, as new projects in production do.
  func hideAccounts() async throws {
    try await settings { $0.signIn.hidesAccounts = true }
  }
}

extension AuthHome {
  func rename(_ user: User, _ name: String) async throws {
    try await change(user) { $0.displayName = .set(name) }
  }
}
