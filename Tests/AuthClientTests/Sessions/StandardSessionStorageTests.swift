import Foundation
import Testing

@testable import AuthClient

@Suite struct StandardSessionStorageTests {
  private let folder = URL(filePath: "/data", directoryHint: .isDirectory)

  @Test func `an app's file goes by program and name`() {
    let url = FileSessionStorage.place(app: "__FIRAPP_DEFAULT", program: "notes", below: folder)
    #expect(url.path == "/data/authgraph/notes/__FIRAPP_DEFAULT.session")
    #expect(
      FileSessionStorage.place(app: "a", program: "com.example.Notes", below: folder).path
        == "/data/authgraph/com.example.Notes/a.session")
  }

  @Test(arguments: [
    "", ".", "..", "../../etc/passwd", "/etc/passwd", "a/../../b", "a\\b", "a\u{0}b", "~", "%2e%2e",
    "caf\u{E9}", "cafe\u{301}", "a b", ".hidden", String(repeating: "x", count: 5000),
    String(repeating: "/", count: 5000),
  ])
  func `no name leads out of its folder`(_ name: String) throws {
    let url = FileSessionStorage.place(app: name, program: name, below: folder)

    #expect(url.standardizedFileURL.path == url.path)
    #expect(url.pathComponents.count == 5)
    #expect(url.pathComponents.starts(with: ["/", "data", "authgraph"]))
    #expect(url.pathComponents.allSatisfy { $0.utf8.count < 200 && !$0.hasPrefix(".") })
    let program = url.pathComponents[3]
    #expect(program.utf8.allSatisfy { $0 > 32 && $0 < 127 })
  }

  @Test func `different names have different files`() {
    let long = String(repeating: "x", count: 400)
    let names = [
      "", "%", "%25", ".", "..", "a", "a.", ".a", "%2Ea", "a/b", "a%2Fb", "a\\b", "a\u{0}b", "ab",
      "caf\u{E9}", "cafe\u{301}", long, long + "y", String(long.dropLast()) + "y", "A",
    ]
    let segments = Set(names.map { PathSegment($0).text })
    // Swift considers the two spellings of é equal; a file system may not.
    #expect(segments.count == names.count)
  }

  #if os(Linux)
    @Test func `the data folder is XDG's if it is absolute, and else the home's`() {
      let home = URL.homeDirectory.appending(path: ".local/share").path
      #expect(FileSessionStorage.dataFolder(environment: ["XDG_DATA_HOME": "/x/y"]).path == "/x/y")
      #expect(FileSessionStorage.dataFolder(environment: ["XDG_DATA_HOME": "x"]).path == home)
      #expect(FileSessionStorage.dataFolder(environment: ["XDG_DATA_HOME": ""]).path == home)
      #expect(FileSessionStorage.dataFolder(environment: [:]).path == home)
    }

    @Test func `an app gets a file on a system without a keychain`() throws {
      let storage = try #require(
        StandardSessionStorage.storage(app: "../app", googleAppID: "1:2:ios:3")
          as? FileSessionStorage)
      #expect(storage.url.lastPathComponent == "%2E.%2Fapp.session")
    }
  #endif

  @Test func `memory keeps the last save until its removal`() throws {
    let storage = MemorySessionStorage()
    #expect(try storage.load() == nil)
    try storage.save(Data([1]))
    try storage.save(Data([2]))
    #expect(try storage.load() == Data([2]))
    try storage.remove()
    try storage.remove()
    #expect(try storage.load() == nil)
  }
}
