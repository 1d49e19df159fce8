import AuthTesting
import Testing

@Suite struct MemoryStoreTests {
  @Test(arguments: StoreCheck.all)
  func `the memory store keeps its promises`(_ promise: StoreCheck) async throws {
    try await promise.run(MemoryStore())
  }
}
