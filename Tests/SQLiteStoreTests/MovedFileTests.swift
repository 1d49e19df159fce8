import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SQLiteStore

/// The file of a store is taken away while it is open.
@Suite struct `S14 A file that is moved, removed or replaced` {
  /// A change of a store's files, and the way to undo it.
  struct Removal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The way back; nil if there is none.
    let undo: (@Sendable (String) throws -> Void)?
    let carryOut: @Sendable (String) throws -> Void

    static let all = [
      move("", "the file alone"), move("-wal", "the log"), move("-shm", "the log's index"),
      Removal(
        testDescription: "the file with its log",
        undo: { path in for end in ends { try rename(path + ".gone" + end, path + end) } },
        carryOut: { path in for end in ends { try rename(path + end, path + ".gone" + end) } }),
      Removal(
        testDescription: "the folder",
        undo: { path in try rename(folder(path) + ".gone", folder(path)) },
        carryOut: { path in try rename(folder(path), folder(path) + ".gone") }),
      Removal(
        testDescription: "all is removed", undo: nil,
        carryOut: { path in
          for end in ends { try FileManager.default.removeItem(atPath: path + end) }
        }),
      Removal(
        testDescription: "another file is there",
        undo: { path in try rename(path + ".gone", path) },
        carryOut: { path in
          try rename(path, path + ".gone")
          try FileManager.default.copyItem(atPath: path + ".copy", toPath: path)
        }),
      Removal(
        testDescription: "a copy is renamed over it", undo: nil,
        carryOut: { path in try rename(path + ".copy", path) }),
      Removal(
        testDescription: "an empty file is there",
        undo: { path in try rename(path + ".gone", path) },
        carryOut: { path in
          try rename(path, path + ".gone")
          try Data().write(to: URL(filePath: path))
        }),
    ]

    private static let ends = ["", "-shm", "-wal"]

    private static func move(_ end: String, _ name: String) -> Removal {
      Removal(
        testDescription: name, undo: { try rename($0 + ".gone" + end, $0 + end) },
        carryOut: { try rename($0 + end, $0 + ".gone" + end) })
    }

    private static func folder(_ path: String) -> String {
      URL(filePath: path).deletingLastPathComponent().path
    }

    private static func rename(_ old: String, _ new: String) throws {
      guard Foundation.rename(old, new) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
  }

  private func withStore(
    _ body: (SQLiteStore, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/store/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.add("before")
      #expect(try await store.uids() == ["before"])
      try await store.backup(to: path + ".copy")
      try await body(store, path)
    }
  }

  private func expectGone(_ work: () async throws -> Void) async {
    do {
      try await work()
      Issue.record("it was written")
    } catch let error as AuthError {
      #expect(error.code == .storeUnavailable, "\(error)")
      #expect(error.cause is StoreFileGone, "\(error)")
      #expect(error.remedy?.contains("Put the file back") == true)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(arguments: Removal.all)
  func `takes no writes, by any connection, until it is back`(_ removal: Removal) async throws {
    try await withStore { store, path in
      try removal.carryOut(path)

      await expectGone { try await store.add("lost") }
      await expectGone { try store.checkFile() }
      await expectGone { _ = try store.name() }
      await expectGone { _ = try store.reopen() }
      await expectGone { try store.withLastRows(closing: true) { _ in } }
      await expectGone { try await store.filling { _ in } }
      // Many simultaneous writes are refused as well.
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask { await expectGone { try await store.add("lost\(number)") } }
        }
      }
      #expect(try await store.uids() == ["before"])

      if let undo = removal.undo {
        try undo(path)
        try await store.add("after")
        try store.checkFile()
        #expect(try await store.uids() == ["after", "before"])
        #expect(try await store.checkIntegrity() == [])
        let another = try SQLiteStore(path: path)
        #expect(try await another.uids() == ["after", "before"])
      }
    }
  }

  @Test(arguments: Removal.all)
  func `takes no accounts that fill it at once`(_ removal: Removal) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/store/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      #expect(try await store.uids() == [])
      try await store.backup(to: path + ".copy")
      await expectGone {
        try await store.filling { filling in
          try await filling.write { try $0.saveCheckpoint("a", "b", in: SQLiteStore.scope) }
          try removal.carryOut(path)
        }
      }
      let kept = try await store.read { try $0.checkpoint("a", in: SQLiteStore.scope) }
      #expect(kept == nil)
    }
  }

  @Test(arguments: Removal.all)
  func `confirms no write if it goes between the check and the commit`(
    _ removal: Removal
  ) async throws {
    try await withStore { store, path in
      let hook = CommitHook { try? removal.carryOut(path) }
      try store.writer.use { hook.set(on: $0) }
      do {
        try await store.add("unsure")
        Issue.record("it was confirmed")
      } catch let error as AuthError {
        #expect(error.code == .storeUnavailable)
        #expect(error.message.contains("not known"), "\(error)")
      }
      try store.writer.use { hook.remove(from: $0) }
      await expectGone { try await store.add("lost") }
    }
  }

  @Test func `is announced once when it goes, and once when it is back`() async throws {
    try await withStore { store, path in
      let changes = store.fileChanges()
      let removal = Removal.all[0]
      for _ in 0..<2 {
        try removal.carryOut(path)
        for _ in 0..<10 { await expectGone { try await store.add("lost") } }
        try removal.undo?(path)
        try await store.add("after\(UUID())")
        try store.checkFile()
      }
      var seen: [String] = []
      for await change in changes {
        seen.append(change == nil ? "back" : "gone")
        if seen.count == 4 { break }
      }
      #expect(seen == ["gone", "back", "gone", "back"])
    }
  }

  @Test func `a reader that is opened meanwhile reads no other file`() async throws {
    try await withStore { store, path in
      try Removal.all[6].carryOut(path)
      // More reads than connections are kept.
      let outcomes = await withTaskGroup(of: [String]?.self) { group in
        for _ in 0..<100 { group.addTask { try? await store.uids() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.compactMap(\.self).allSatisfy { $0 == ["before"] })
    }
  }

  @Test(arguments: ["missing", "empty"])
  func `a log without its file is not written over`(_ rest: String) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      do {
        let store = try SQLiteStore(path: path)
        try await store.add("a")
        try FileManager.default.copyItem(atPath: path, toPath: folder + "/gone")
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder + "/gone-wal")
      }
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: path + "-shm")
      try? FileManager.default.removeItem(atPath: path + "-wal")
      try FileManager.default.moveItem(atPath: folder + "/gone-wal", toPath: path + "-wal")
      if rest == "empty" { try Data().write(to: URL(filePath: path)) }

      try expectUnavailable(path, saying: "its log \(path)-wal is still there")

      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: folder + "/gone", toPath: path)
      #expect(try await SQLiteStore(path: path).uids() == ["a"])
    }
  }

  @Test func `a store in memory has no file to lose`() async throws {
    let store = try SQLiteStore.inMemory()
    try store.checkFile()
    try await store.add("a")
  }
}
