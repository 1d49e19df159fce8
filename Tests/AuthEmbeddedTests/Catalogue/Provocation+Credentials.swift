import AuthClient
import AuthCore
import Foundation

/// Credentials for signing in and linking.
extension Provocation {
  static let credentials: [Provocation] = [
    Provocation(.invalidCustomToken) { home in
      _ = try await home.customToken("ada")
      try await home.auth.signIn(withCustomToken: "none")
    },
    Provocation(.customTokenMismatch, on: Backend.production) { home in
      let token = try await home.customToken("ada", issuer: "server@another.example")
      try await home.auth.signIn(withCustomToken: token)
    },
    Provocation(.invalidCredential) { home in
      try await home.auth.signIn(
        with: GoogleAuthProvider.credential(withIDToken: "{}", accessToken: "none"))
    },
    Provocation(.invalidCredential) { home in
      try await home.hideAccounts()
      try await home.enter()
    },
    Provocation(
      .accountExistsWithDifferentCredential,
      keys: [AuthErrors.userInfoEmailKey, AuthErrors.userInfoUpdatedCredentialKey]
    ) { home in
      try await home.verifiedAda()
      try await home.auth.signIn(with: home.facebook("ada@example.com"))
    },
    Provocation(.providerAlreadyLinked) { home in
      try await home.ada().link(with: home.emailAndPassword("bo@example.com"))
    },
    Provocation(.noSuchProvider) { home in
      _ = try await home.ada().unlink(fromProvider: "google.com")
    },
    Provocation(
      .credentialAlreadyInUse,
      keys: [AuthErrors.userInfoEmailKey, AuthErrors.userInfoUpdatedCredentialKey]
    ) { home in
      try await home.another().signIn(with: try home.google("bo@example.com"))
      try await home.ada().link(with: try home.google("bo@example.com"))
    },
    Provocation(.credentialAlreadyInUse, keys: [AuthErrors.userInfoUpdatedCredentialKey]) { home in
      try await home.another().signIn(with: try await home.phone())
      try await home.ada().link(with: try await home.phone())
    },
    Provocation(.invalidProviderID, on: Backend.production) { home in
      try await home.ada()
      try await home.auth.revokeToken(withAuthorizationCode: "of no Apple account")
    },
    Provocation(.missingOrInvalidNonce, on: Backend.production) { home in
      try await home.auth.signIn(with: try home.work("ada@work.example", nonce: "another"))
    },
  ]
}
