import Testing
import TestSupport

@Suite struct `The article "Add an admin function"` {
  @Test func `shows the whole of a library and its tests`() throws {
    try expectArticle(
      "Sources/AdminConsole/AdminConsole.docc/AddAnAdminFunction.md",
      shows: "Tests/AdminConsoleTests/API/NamesLibraryTests.swift")
  }
}
