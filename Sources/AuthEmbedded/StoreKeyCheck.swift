import AuthCore
import IdentityToolkitService

/// A comparison of a key with the store's, made once before the first request.
actor StoreKeyCheck {
  private let key: StoreKey
  private let project: String
  private var isPassed = false

  init(_ key: StoreKey, project: String) {
    self.key = key
    self.project = project
  }

  func pass() async throws {
    guard !isPassed else { return }
    try await key.check(projects: [project])
    isPassed = true
  }
}
