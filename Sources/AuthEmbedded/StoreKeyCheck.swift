import AuthCore
import IdentityToolkitService

/// Compares a key with the store's before the first request, and is passed from then on.
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
