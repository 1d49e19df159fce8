import AuthClient
import Foundation

/// Errors that the client finds by itself.
extension Provocation {
  static let local: [Provocation] = [
    Provocation(.networkError, keys: [NSUnderlyingErrorKey]) { home in
      home.traffic.cut()
      try await home.auth.signInAnonymously()
    },
    Provocation(.nullUser) { try await $0.auth.revokeToken(withAuthorizationCode: "x") },
    Provocation(.gameKitNotLinked) { _ in _ = try await GameCenterAuthProvider.getCredential() },
    Provocation(.keychainError, keys: [NSUnderlyingErrorKey]) { home in
      try await home.another(storage: FullStorage()).signInAnonymously()
    },
    Provocation(.malformedJWT, keys: ["FIRAuthErrorUserInfoDataKey"]) { home in
      _ = try await home.restored(replacing: \.idToken).getIDTokenResult()
    },
  ]

  /// A storage without space.
  private struct FullStorage: SessionStorage {
    func load() throws -> Data? { nil }
    func save(_ data: Data) throws { throw CocoaError(.fileWriteOutOfSpace) }
    func remove() throws {}
  }
}
