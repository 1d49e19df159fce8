import AuthCore
import BuiltInProviders
import ProviderChecks
import Testing

@Suite struct `Built-in providers` {
  @Test(arguments: ProviderCheck.all)
  func `the password provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    try await promise.run(PasswordProvider(hasher: hasher))
  }

  @Test(arguments: ProviderCheck.all)
  func `the anonymous provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(AnonymousProvider())
  }
}
