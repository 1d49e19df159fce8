import Testing
import TestSupport

@Suite struct `The article "Add a provider"` {
  @Test func `shows the whole of a provider and its tests`() throws {
    try expectArticle(
      "Sources/AuthCore/AuthCore.docc/AddAProvider.md",
      shows: "Tests/AuthTestingTests/BadgeProviderTests.swift")
  }
}
