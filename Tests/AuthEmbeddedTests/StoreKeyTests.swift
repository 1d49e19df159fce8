import AuthClient
import AuthCore
import AuthEmbedded
import BuiltInProviders
import Foundation
import IdentityToolkitService
import SQLiteStore
import Testing

@Suite struct `D2: the key of an embedded store` {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "authgraph-\(UUID())").path

  private func backend(_ key: String) throws -> EmbeddedBackend {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    var options = ServiceOptions(project: "demo-shop")
    options.passwordCost = PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
    return EmbeddedBackend(
      store: try SQLiteStore(path: "\(folder)/accounts.db"), secrets: .keyFile("\(folder)/\(key)"),
      options: options)
  }

  private func signUp(_ backend: EmbeddedBackend) async throws -> Int {
    try await backend.send(
      BackendRequest(
        service: .identityToolkit, path: "/v1/accounts:signUp", apiKey: "key", headers: [:],
        body: Data("{}".utf8))
    ).status
  }

  @Test func `D2: another key is refused by every request, and no file is made`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try await signUp(try backend("right.key")) == 200)

    let mistyped = try backend("rihgt.key")
    for _ in 0..<2 {
      let error = await #expect(throws: AuthError.self) { try await signUp(mistyped) }
      #expect(error?.field == "keyFile" && error?.message.contains("rihgt.key") == true)
    }
    let said = await #expect(throws: NSError.self) {
      try await Auth(backend: mistyped).signInAnonymously()
    }
    #expect(said?.authErrorCode == .networkError && said?.isRetryable == false)
    #expect(said?.localizedFailureReason?.contains("rihgt.key") == true)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/rihgt.key"))
    _ = try KeyFileSealing(path: "\(folder)/other.key").seal("x", for: "y")
    let other = await #expect(throws: AuthError.self) { try await signUp(try backend("other.key")) }
    #expect(other?.code == .invalidArgument && other?.field == "keyFile")
    #expect(try await signUp(try backend("right.key")) == 200)
  }
}
