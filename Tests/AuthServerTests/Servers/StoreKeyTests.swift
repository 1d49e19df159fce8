import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import IdentityToolkitService
import SessionTokens
import Testing

@Suite struct `The key of a store` {
  private let store = MemoryStore()

  private func check(_ secrets: any SecretSealing, _ projects: [String] = ["shop"]) async throws {
    try await StoreKey(store: store, secrets: secrets).check(projects: projects)
  }

  private func refusal(_ secrets: any SecretSealing) async -> AuthError? {
    do {
      try await check(secrets)
      return nil
    } catch {
      return error as? AuthError
    }
  }

  @Test func `every server has that of the first`() async throws {
    let key = EphemeralSealing()
    try await check(key)
    try await check(key)

    let error = try #require(await refusal(EphemeralSealing()))

    #expect(error.code == .invalidArgument && error.field == "keyFile")
    #expect(error.remedy?.contains("copy") == true)
    try await check(key)
  }

  @Test func `servers that begin at once agree on one`() async throws {
    let keys = (0..<8).map { _ in EphemeralSealing() }
    let agreed = await withTaskGroup(of: Bool.self) { group in
      for key in keys { group.addTask { await refusal(key) == nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(agreed == 1)
  }

  @Test func `a key that does not open the store does not become its key`() async throws {
    let key = EphemeralSealing()
    let tokens = TokenService(style: .signed(.es256), store: store, secrets: key)
    _ = try await tokens.publication.keySet(.idToken, project: "shop")

    #expect(await refusal(EphemeralSealing())?.field == "keyFile")
    try await check(key)
  }

  @Test func `a server without the file makes none`() async throws {
    try await check(EphemeralSealing())
    let path = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID())").path
    #expect(await refusal(KeyFileSealing(path: path))?.field == "keyFile")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
