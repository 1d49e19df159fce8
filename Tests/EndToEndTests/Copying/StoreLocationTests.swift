import Testing

@testable import Commands

@Suite struct `The location of a store` {
  @Test(arguments: ["memory", "memory:"])
  func `a temporary store is written with and without a colon`(_ text: String) throws {
    #expect(try StoreLocation(text) == .memory)
  }
}
