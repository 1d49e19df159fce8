import AuthCore
import BuiltInProviders
import Testing

@Suite struct `Versions of the Graph API` {
  private func time(_ day: String) throws -> Timestamp {
    try #require(Timestamp(rfc3339: "\(day)T00:00:00Z"))
  }

  @Test func `a version ends two years after the next one's release`() throws {
    #expect(GraphVersion.end(of: "v19.0") == "2026-05-21")
    #expect(try !GraphVersion.isOver("v19.0", at: time("2026-05-20")))
    #expect(try GraphVersion.isOver("v19.0", at: time("2026-05-21")))
  }

  @Test(arguments: ["v2.0", "v3.1", "v18.0"])
  func `older versions are over`(version: String) throws {
    #expect(try GraphVersion.isOver(version, at: time("2026-01-01")))
  }

  @Test(arguments: [GraphVersion.usual, "v25.0", "v100.0", ""])
  func `a version whose end is not known is not over`(version: String) throws {
    #expect(GraphVersion.end(of: version) == nil)
    #expect(try !GraphVersion.isOver(version, at: time("2030-01-01")))
  }
}
