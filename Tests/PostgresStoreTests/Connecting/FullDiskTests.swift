import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing
import TestSupport

/// A database on a small disk of its own, which fills up.
@Suite(.serialized) struct `D4: a store whose server has no room left` {
  /// A disk in memory that the server's user may write to.
  private struct Disk {
    let path: String
    private let disk: SmallDisk

    static let isPossible: Bool = {
      guard let disk = try? Disk() else { return false }
      disk.unmount()
      return true
    }()

    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID())").path
      disk = try SmallDisk(at: path, size: "40m")
      try FileManager.default.createDirectory(
        atPath: "\(path)/space", withIntermediateDirectories: true)
      try runProgram("chown", ["postgres", "\(path)/space"])
      try runProgram("chmod", ["755", path])
    }

    func fill() throws {
      let file = try #require(fopen("\(path)/filler", "w"))
      let block = [UInt8](repeating: 1, count: 4096)
      while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
      fclose(file)
    }

    func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/filler") }

    func unmount() {
      disk.unmount()
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(.enabled(if: Disk.isPossible, "a small disk can be mounted"))
  func `is not ready for changes in any process until there is room`() async throws {
    let disk = try Disk()
    defer { disk.unmount() }
    let server = try PostgresServer()
    try server.run("create tablespace small location '\(disk.path)/space'")
    try server.run("create database small tablespace small")
    let store = try PostgresStore(url: server.url().dropLast("postgres".count) + "small")
    defer { store.close() }
    try await store.add("a")
    try await store.checkWriting()

    for hasWriters in [false, true] {
      try disk.fill()
      if hasWriters {
        // Existing pages may have space.
        let error = await #expect(throws: AuthError.self) {
          for number in 0..<5000 {
            try await store.add("b\(number)", name: String(repeating: "long ", count: 40))
          }
        }
        expectExplained(try #require(error), .storeUnavailable, "has no room left")
      } else {
        // A result holds for a second.
        try await Task.sleep(for: .seconds(1.1))
      }
      let outage = await #expect(throws: StoreOutage.self) { try await store.checkWriting() }
      #expect(outage?.reason == .full)
      try await Task.sleep(for: .milliseconds(400))
      await #expect(throws: StoreOutage.self) { try await store.checkWriting() }
      #expect(try await !store.uids().isEmpty)

      try disk.empty()
      try await Task.sleep(for: .milliseconds(400))
      try await store.checkWriting()
    }
    try await store.add("c")
  }
}
