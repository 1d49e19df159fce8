import AuthTesting
import Foundation
import SQLiteStore
import Testing
import TestSupport

@Suite struct PromiseTests {
  @Test(arguments: StoreCheck.all)
  func `a store in memory keeps its promises`(_ promise: StoreCheck) async throws {
    try await promise.run(try SQLiteStore.inMemory())
  }

  @Test(arguments: StoreCheck.all)
  func `a store in a file keeps its promises and stays sound`(_ promise: StoreCheck) async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")

      try await promise.run(store)

      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `promises have names of their own`() {
    #expect(Set(StoreCheck.all.map(\.description)).count == StoreCheck.all.count)
    #expect(StoreCheck.all.count >= 35)
  }
}
