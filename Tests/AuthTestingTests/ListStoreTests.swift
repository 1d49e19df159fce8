import AuthTesting
import Testing
import TestSupport

@Suite struct ListStoreTests {
  @Test(arguments: StoreCheck.all)
  func `the smallest store keeps its promises`(_ promise: StoreCheck) async throws {
    try await promise.run(ListStore())
  }

  @Test func `the article shows the whole store`() throws {
    try expectArticle(
      "Sources/AuthCore/AuthCore.docc/WriteAStore.md",
      shows: "Tests/AuthTestingTests/ListStore.swift")
  }
}
