import AuthCore
import Testing

@testable import LuaPlugins

/// What a server does about a plug-in that it and the store may have in different versions.
@Suite struct SharingStepTests {
  private typealias Local = SharingStep.Local
  private typealias Agreed = SharingStep.Agreed

  private func file(_ version: String, _ path: String = "/a.lua", at second: Int64 = 5) -> Local {
    Local(version: version, path: path, modifiedAt: Timestamp(milliseconds: second * 1000))
  }

  private func stored(_ version: String?, _ path: String? = "/a.lua") -> PluginIndex.Entry {
    PluginIndex.Entry(
      version: version, name: "a.lua", path: path, publishedAt: Timestamp(milliseconds: 10_000))
  }

  private let inMemory = Local(version: "1", path: nil, modifiedAt: nil)

  @Test func `at the start the later one of file and store counts`() {
    #expect(SharingStep(local: file("1"), stored: nil, agreed: nil) == .publish)
    #expect(SharingStep(local: inMemory, stored: nil, agreed: nil) == .nothing)
    #expect(SharingStep(local: nil, stored: stored("1"), agreed: nil) == .take)
    #expect(SharingStep(local: file("1"), stored: stored("1"), agreed: nil) == .nothing)
    #expect(SharingStep(local: file("1", at: 9), stored: stored("2"), agreed: nil) == .take)
    #expect(SharingStep(local: file("1", at: 11), stored: stored("2"), agreed: nil) == .publish)
    #expect(SharingStep(local: file("1", at: 9), stored: stored(nil), agreed: nil) == .take)
    #expect(SharingStep(local: file("1", at: 11), stored: stored(nil), agreed: nil) == .publish)
    #expect(SharingStep(local: nil, stored: stored(nil), agreed: nil) == .nothing)
    #expect(SharingStep(local: inMemory, stored: stored("2"), agreed: nil) == .take)
  }

  @Test func `what changed on one side is taken over by the other`() {
    let before = Agreed(version: "1", path: "/a.lua")
    #expect(SharingStep(local: file("2", at: 1), stored: stored("1"), agreed: before) == .publish)
    #expect(SharingStep(local: file("1", at: 99), stored: stored("2"), agreed: before) == .take)
    #expect(SharingStep(local: file("1", at: 99), stored: stored(nil), agreed: before) == .take)
    #expect(SharingStep(local: file("2", at: 9), stored: stored("3"), agreed: before) == .take)
    #expect(SharingStep(local: file("2", at: 11), stored: stored("3"), agreed: before) == .publish)
    #expect(SharingStep(local: nil, stored: stored("3"), agreed: before) == .take)
  }

  @Test func `a removed file counts where it was the one that was published`() {
    let mine = Agreed(version: "1", path: "/a.lua")
    let copy = Agreed(version: "1", path: "/b.lua")
    let taken = Agreed(version: "1", path: nil)
    #expect(SharingStep(local: nil, stored: stored("1"), agreed: mine) == .withdraw)
    #expect(SharingStep(local: nil, stored: stored("1"), agreed: copy) == .take)
    #expect(SharingStep(local: nil, stored: stored("1"), agreed: taken) == .take)
  }

  @Test func `a new file of the same text is the published one from now on`() {
    let taken = Agreed(version: "1", path: nil)
    let same = file("1", "/b.lua")
    #expect(SharingStep(local: same, stored: stored("1"), agreed: taken) == .claim)
    #expect(SharingStep(local: same, stored: stored("1"), agreed: nil) == .nothing)
    let known = Agreed(version: "1", path: "/b.lua")
    #expect(SharingStep(local: same, stored: stored("1"), agreed: known) == .nothing)
  }
}
