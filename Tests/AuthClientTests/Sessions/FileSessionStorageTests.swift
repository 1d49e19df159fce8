import AuthClient
import Foundation
import Synchronization
import Testing
import TestSupport

@Suite(.serialized, .timeLimit(.minutes(2)))
final class FileSessionStorageTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "session-\(UUID())", directoryHint: .isDirectory)
  private var url: URL { folder.appending(path: "below/deeper/app.session") }
  private var storage: FileSessionStorage { FileSessionStorage(url: url) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test func `a first load finds nothing and makes nothing`() throws {
    #expect(try storage.load() == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `the last save is loaded, and gone after a removal`() throws {
    try storage.save(Data("first".utf8))
    try storage.save(Data("second".utf8))
    #expect(try FileSessionStorage(url: url).load() == Data("second".utf8))

    try storage.remove()
    #expect(try storage.load() == nil)
    try storage.remove()
    #expect(try names() == [])
  }

  @Test(arguments: [0, 1, 16_384, 16_385, 700_000])
  func `content of every length comes back`(_ count: Int) throws {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try storage.save(data)
    #expect(try storage.load() == data)
  }

  @Test(arguments: [0, 0o022, 0o777])
  func `the file is for its owner alone under every umask`(_ mask: UInt32) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let old = umask(mode_t(mask))
    defer { umask(old) }
    // A umask that removes the owner's bits would lock everyone but root out of the new folders.
    if mask == 0o777 { umask(0o077) }
    try storage.save(Data())
    if mask == 0o777 { umask(0o777) }

    try storage.save(Data("tokens".utf8))

    #expect(try permissions(of: url.path) == 0o600)
    #expect(try permissions(of: folder.appending(path: "below").path) == 0o700)
    #expect(try permissions(of: folder.appending(path: "below/deeper").path) == 0o700)
    #expect(try storage.load() == Data("tokens".utf8))
  }

  @Test func `a watcher of the folder never sees a file with other modes`() async throws {
    let old = umask(0)
    defer { umask(old) }
    try storage.save(Data())
    let parent = url.deletingLastPathComponent().path
    let watch = Watch()

    async let seen = Task.detached {
      var seen: [String: Set<UInt32>] = ["drafts": [], "file": []]
      repeat {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
          var status = stat()
          guard lstat("\(parent)/\(name)", &status) == 0 else { continue }
          seen[name == "app.session" ? "file" : "drafts"]?.insert(status.st_mode & 0o7777)
        }
      } while !watch.isOver.load(ordering: .relaxed)
      return seen
    }.value
    let storage = storage
    await Task.detached {
      for number in 0..<400 { try? storage.save(Data("tokens \(number)".utf8)) }
      watch.isOver.store(true, ordering: .relaxed)
    }.value

    let modes = await seen
    #expect(modes["file"] == [0o600])
    #expect(modes["drafts"]?.isSubset(of: [0o600]) == true)
    #expect(try storage.load() == Data("tokens 399".utf8))
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o602, 0o620, 0o644, 0o666, 0o610])
  func `a file that others may use is refused with the remedy`(_ mode: Int) throws {
    try storage.save(Data("tokens".utf8))
    #expect(chmod(url.path, mode_t(mode)) == 0)

    let error = try #require(throws: SessionStorageError.self) { try storage.load() }

    #expect(error.place.contains(url.path))
    #expect(error.remedy == "chmod 600 \(url.path)")
    #expect(!"\(error)".contains("tokens"))
    #expect(chmod(url.path, 0o600) == 0)
    #expect(try storage.load() == Data("tokens".utf8))
  }

  @Test func `the remedy can be pasted if the path has a blank and a quote`() throws {
    let storage = FileSessionStorage(url: folder.appending(path: "Ada's app.session"))
    try storage.save(Data())
    #expect(chmod(storage.url.path, 0o644) == 0)

    let error = try #require(throws: SessionStorageError.self) { try storage.load() }

    try runProgram("/bin/sh", ["-c", error.remedy])
    #expect(try storage.load() == Data())
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `the file of another user is refused`() throws {
    try storage.save(Data("tokens".utf8))
    #expect(chown(url.path, 65_534, 65_534) == 0)

    let error = try #require(throws: SessionStorageError.self) { try storage.load() }

    #expect(error.message.contains("another user"))
  }

  @Test func `a symbolic link is refused, and a save replaces it without touching its target`()
    throws
  {
    try storage.save(Data())
    let target = folder.appending(path: "target")
    try Data("of someone".utf8).write(to: target)
    #expect(chmod(target.path, 0o600) == 0)
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)

    let error = try #require(throws: SessionStorageError.self) { try storage.load() }
    #expect(error.message.contains("symbolic link"))

    try storage.save(Data("tokens".utf8))
    #expect(try Data(contentsOf: target) == Data("of someone".utf8))
    #expect(try storage.load() == Data("tokens".utf8))
  }

  @Test func `a folder, a pipe and a huge file are refused at once`() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #expect(throws: SessionStorageError.self) { try storage.load() }
    #expect(throws: SessionStorageError.self) { try storage.save(Data("tokens".utf8)) }
    #expect(throws: SessionStorageError.self) { try storage.remove() }
    #expect(try names() == ["app.session"])

    try FileManager.default.removeItem(at: url)
    #expect(mkfifo(url.path, 0o600) == 0)
    #expect(throws: SessionStorageError.self) { try storage.load() }

    try storage.save(Data(count: 1 << 20 + 1))
    #expect(throws: SessionStorageError.self) { try storage.load() }
  }

  @Test func `a failure names the path and the system's reason`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "file")
    try Data().write(to: file)
    let storage = FileSessionStorage(url: file.appending(path: "app.session"))

    let error = try #require(throws: SessionStorageError.self) { try storage.save(Data()) }

    #expect(error.place.contains(file.path))
    #expect(error.status == ENOTDIR || error.status == EEXIST)
    #expect(error.message.contains(String(cString: strerror(error.status ?? 0))))
  }

  @Test
  func `a crash before the renaming leaves the old user, and its draft goes with the sign-out`()
    throws
  {
    try storage.save(Data("old".utf8))
    let draft = url.deletingLastPathComponent().appending(path: ".app.session.draft-\(UUID())")
    try Data("half of the n".utf8).write(to: draft)

    #expect(try storage.load() == Data("old".utf8))
    try storage.save(Data("new".utf8))
    #expect(try storage.load() == Data("new".utf8))
    // It may belong to another process that is still at work.
    #expect(FileManager.default.fileExists(atPath: draft.path))

    try storage.remove()
    #expect(try names() == [])
  }

  @Test func `a draft that was abandoned long ago goes with the next save`() throws {
    try storage.save(Data("old".utf8))
    let draft = url.deletingLastPathComponent().appending(path: ".app.session.draft-\(UUID())")
    let other = url.deletingLastPathComponent().appending(path: ".other.session.draft-1")
    for url in [draft, other] {
      try Data().write(to: url)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: url.path)
    }

    try storage.save(Data("new".utf8))

    #expect(try names() == [".other.session.draft-1", "app.session"])
  }

  @Test func `a process that is killed at work leaves a whole user`() async throws {
    try storage.save(Data(repeating: 0, count: 200_000))
    for milliseconds in [3, 17, 40] {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = url.path as String, milliseconds = milliseconds as Int] in
        let storage = FileSessionStorage(url: URL(filePath: path))
        Thread.detachNewThread {
          usleep(UInt32(milliseconds) * 1000)
          kill(getpid(), SIGKILL)
        }
        while true {
          for byte in 1...255 { try? storage.save(Data(repeating: UInt8(byte), count: 200_000)) }
        }
      }
      let data = try #require(try storage.load())
      #expect(data.count == 200_000)
      #expect(Set(data).count == 1)
    }
    try storage.remove()
    #expect(try names() == [])
  }

  @Test func `saves, loads and removals at once never meet half a user`() async throws {
    let storage = storage
    try await withThrowingTaskGroup { group in
      for worker in 0..<6 {
        group.addTask {
          for round in 0..<60 {
            switch (worker + round) % 3 {
            case 0: try storage.save(Data(repeating: UInt8(worker), count: 40_000))
            case 1:
              guard let data = try storage.load() else { continue }
              #expect(data.count == 40_000)
              #expect(Set(data).count == 1)
            default: if worker == 0 { try storage.remove() }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try storage.remove()
    #expect(try names() == [])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .sorted()
  }
}

private final class Watch: Sendable {
  let isOver = Atomic(false)
}
