import AuthCore
import Testing

@testable import LuaPlugins

/// A server's action for a plug-in whose versions here and in the store may differ.
@Suite struct SyncActionTests {
  private typealias Local = SyncAction.Local
  private typealias Baseline = SyncAction.Baseline

  private func file(_ version: String, _ path: String = "/a.lua", at second: Int64 = 5) -> Local {
    Local(version: version, path: path, modifiedAt: Timestamp(milliseconds: second * 1000))
  }

  private func stored(_ version: String?, _ path: String? = "/a.lua") -> PluginIndex.Entry {
    PluginIndex.Entry(
      version: version, name: "a.lua", path: path, publishedAt: Timestamp(milliseconds: 10_000))
  }

  private let inMemory = Local(version: "1", path: nil, modifiedAt: nil)

  @Test func `at the start the later one of file and store counts`() {
    #expect(SyncAction(local: file("1"), stored: nil, baseline: nil) == .publish)
    #expect(SyncAction(local: inMemory, stored: nil, baseline: nil) == .nothing)
    #expect(SyncAction(local: nil, stored: stored("1"), baseline: nil) == .take)
    #expect(SyncAction(local: file("1"), stored: stored("1"), baseline: nil) == .nothing)
    #expect(SyncAction(local: file("1", at: 9), stored: stored("2"), baseline: nil) == .take)
    #expect(SyncAction(local: file("1", at: 11), stored: stored("2"), baseline: nil) == .publish)
    #expect(SyncAction(local: file("1", at: 9), stored: stored(nil), baseline: nil) == .take)
    #expect(SyncAction(local: file("1", at: 11), stored: stored(nil), baseline: nil) == .publish)
    #expect(SyncAction(local: nil, stored: stored(nil), baseline: nil) == .nothing)
    #expect(SyncAction(local: inMemory, stored: stored("2"), baseline: nil) == .take)
  }

  @Test func `a change on one side is taken over by the other`() {
    let before = Baseline(version: "1", path: "/a.lua")
    #expect(SyncAction(local: file("2", at: 1), stored: stored("1"), baseline: before) == .publish)
    #expect(SyncAction(local: file("1", at: 99), stored: stored("2"), baseline: before) == .take)
    #expect(SyncAction(local: file("1", at: 99), stored: stored(nil), baseline: before) == .take)
    #expect(SyncAction(local: file("2", at: 9), stored: stored("3"), baseline: before) == .take)
    #expect(SyncAction(local: file("2", at: 11), stored: stored("3"), baseline: before) == .publish)
    #expect(SyncAction(local: nil, stored: stored("3"), baseline: before) == .take)
  }

  @Test func `a removed file counts if it was the published one`() {
    let mine = Baseline(version: "1", path: "/a.lua")
    let copy = Baseline(version: "1", path: "/b.lua")
    let taken = Baseline(version: "1", path: nil)
    #expect(SyncAction(local: nil, stored: stored("1"), baseline: mine) == .delete)
    #expect(SyncAction(local: nil, stored: stored("1"), baseline: copy) == .take)
    #expect(SyncAction(local: nil, stored: stored("1"), baseline: taken) == .take)
  }

  @Test func `a new file of the same text is the published one from now on`() {
    let taken = Baseline(version: "1", path: nil)
    let same = file("1", "/b.lua")
    #expect(SyncAction(local: same, stored: stored("1"), baseline: taken) == .adopt)
    #expect(SyncAction(local: same, stored: stored("1"), baseline: nil) == .nothing)
    let known = Baseline(version: "1", path: "/b.lua")
    #expect(SyncAction(local: same, stored: stored("1"), baseline: known) == .nothing)
  }
}
