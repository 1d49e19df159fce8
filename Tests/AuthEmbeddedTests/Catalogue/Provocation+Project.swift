import AuthClient
import AuthCore
import AuthTesting
import IdentityToolkitService

/// Operations that the project or its server does not allow.
extension Provocation {
  static let project: [Provocation] = [
    Provocation(.operationNotAllowed) { home in
      try await home.settings { $0.signIn.closedProviders = [.password] }
      try await home.ada()
    },
    Provocation(.adminRestrictedOperation) { home in
      try await home.settings { $0.signIn.closedProviders = [.anonymous] }
      try await home.auth.signInAnonymously()
    },
    Provocation(
      .tooManyRequests, on: Backend.production,
      configure: {
        $0.service = { options, _ in options.settings.rateLimits.attemptsPerAccountAndHour = 1 }
      },
      { home in
        for _ in 0..<3 {
          do { try await home.enter() } catch AuthErrorCode.userNotFound {}
        }
      }),
    Provocation(.invalidAPIKey) { try await $0.another(apiKey: "").signInAnonymously() },
    Provocation(
      .invalidAPIKey, on: Backend.production,
      configure: {
        $0.service = { options, _ in
          options.settings.apiKeys = ["another": AuthHome.project]
        }
      }, { try await $0.auth.signInAnonymously() }),
    Provocation(.unsupportedTenantOperation) { home in
      home.auth.tenantID = try await home.openTenant()
      _ = try await home.phone()
    },
    Provocation(
      .blockingCloudFunctionError,
      configure: { $0.service = { options, _ in options.hooks = NoMore() } },
      { try await $0.ada() }),
  ]

  /// A hook that refuses every account with an address.
  private struct NoMore: SignInHooks {
    func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
      guard event.account.email != nil else { return nil }
      throw AuthError(.blockingFunctionError, "((HTTP request returned HTTP error 403: no))")
    }
  }
}
