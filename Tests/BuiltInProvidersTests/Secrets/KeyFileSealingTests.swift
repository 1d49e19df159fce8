import AuthCore
import Foundation
import Testing
import TestSupport

@testable import BuiltInProviders

@Suite struct KeyFileSealingTests {
  @Test(arguments: ["", "a", "GOCSPX-secret", "👩‍👩‍👧 e\u{301} \u{0} end", "a:b:c", "line\nbreak"])
  func `a sealed text opens for the same purpose`(text: String) throws {
    let folder = try TemporaryFolder()
    let sealing = KeyFileSealing(path: folder.file)

    let sealed = try sealing.seal(text, for: "configuration google.com clientSecret")

    let opened = try sealing.open(sealed, for: "configuration google.com clientSecret")
    #expect(Array(opened.utf8) == Array(text.utf8))
    #expect(sealed.wholeMatch(of: /sealed:1:[0-9a-f]{12}:[A-Za-z0-9_-]+/) != nil)
  }

  @Test func `a sealed text opens for another reader of the key file`() throws {
    let folder = try TemporaryFolder()
    let sealed = try KeyFileSealing(path: folder.file).seal("secret", for: "p")

    #expect(try KeyFileSealing(path: folder.file).open(sealed, for: "p") == "secret")
  }

  @Test func `the same text never looks the same twice`() throws {
    let folder = try TemporaryFolder()
    let sealing = KeyFileSealing(path: folder.file)

    let sealed = try (0..<1000).map { _ in try sealing.seal("secret", for: "p") }

    #expect(Set(sealed).count == 1000)
    #expect(!sealed.contains { $0.contains("secret") })
  }

  @Test(arguments: ["q", "", "p ", "P"])
  func `a row moved to another purpose does not open`(purpose: String) throws {
    let sealing = EphemeralSealing()
    let sealed = try sealing.seal("secret", for: "p")

    let error = #expect(throws: AuthError.self) { try sealing.open(sealed, for: purpose) }

    #expect(error?.code == .internalError)
  }

  @Test func `a sealed text of which any character was changed does not open`() throws {
    let sealing = EphemeralSealing()
    let sealed = Array(try sealing.seal("secret", for: "p"))

    for place in sealed.indices {
      var changed = sealed
      changed[place] = changed[place] == "A" ? "B" : "A"
      let error = #expect(throws: AuthError.self, "place \(place)") {
        try sealing.open(String(changed), for: "p")
      }
      #expect(error?.code == .internalError)
    }
    for length in sealed.indices {
      #expect(throws: AuthError.self, "\(length) characters") {
        try sealing.open(String(sealed.prefix(length)), for: "p")
      }
    }
  }

  @Test func `a text that another key sealed has an error of its own`() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let sealed = try KeyFileSealing(path: other.file).seal("secret", for: "p")
    _ = try KeyFileSealing(path: folder.file).seal("x", for: "p")

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: folder.file).open(sealed, for: "p")
    }

    #expect(error?.code == .internalError)
    #expect(error?.message.contains("another key") == true)
    #expect(error?.message.contains(folder.file) == true)
    #expect(error?.message.contains(sealed.split(separator: ":")[2]) == true)
  }

  @Test func `a text of a later version is reported as such`() throws {
    let error = #expect(throws: AuthError.self) {
      try EphemeralSealing().open("sealed:2:abc:def", for: "p")
    }

    #expect(error?.message.contains("version") == true)
  }
}

@Suite struct KeyFileTests {
  @Test func `nothing is made before a secret is sealed`() throws {
    let folder = try TemporaryFolder()
    let sealing = KeyFileSealing(path: folder.file)

    let error = #expect(throws: AuthError.self) { try sealing.open("sealed:1:a:b", for: "p") }

    #expect(error?.code == .storeUnavailable)
    #expect(try folder.content() == [])
  }

  @Test func `the file and the folders that are made for it are their owner's alone`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/new/deeper/secrets.key"

    _ = try KeyFileSealing(path: path).seal("x", for: "p")

    #expect(try permissions(of: "\(folder.path)/new/deeper/secrets.key") == 0o600)
    #expect(try permissions(of: "\(folder.path)/new/deeper") == 0o700)
    #expect(try permissions(of: "\(folder.path)/new") == 0o700)
    #expect(try folder.content("new/deeper") == ["secrets.key"])
  }

  @Test func `concurrent makers of the file end with one key`() async throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let file = folder.file

      let sealed = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<16 {
          group.addTask { try KeyFileSealing(path: file).seal("\(number)", for: "p") }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      let reader = KeyFileSealing(path: file)
      let opened = try sealed.map { try reader.open($0, for: "p") }
      #expect(Set(opened) == Set((0..<16).map(String.init)))
      #expect(try folder.content() == ["secrets.key"])
    }
  }

  @Test func `a second maker of the file takes the key of the first`() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (KeyFile(path: folder.file), KeyFile(path: folder.file))
    #expect(try first.read()?.id == nil)
    #expect(try second.read()?.id == nil)

    let (made, found) = (try first.make(), try second.make())

    #expect(made.id == found.id)
    #expect(try folder.content() == ["secrets.key"])
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o602, 0o610])
  func `a file that others may use is refused until that is changed`(mode: Int) throws {
    let folder = try TemporaryFolder()
    let sealed = try KeyFileSealing(path: folder.file).seal("secret", for: "p")
    chmod(folder.file, mode_t(mode))
    let sealing = KeyFileSealing(path: folder.file)

    let error = #expect(throws: AuthError.self) { try sealing.open(sealed, for: "p") }

    #expect(error?.code == .storeUnavailable)
    #expect(error?.remedy == "chmod 600 \(folder.file)")
    #expect(throws: AuthError.self) { try sealing.seal("x", for: "p") }
    chmod(folder.file, 0o600)
    #expect(try sealing.open(sealed, for: "p") == "secret")
  }

  @Test func `a path that a shell would take apart is quoted in the remedy`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/it's a key"
    try folder.write("it's a key", "x", mode: 0o644)

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: path).seal("x", for: "p")
    }

    #expect(error?.remedy == "chmod 600 '\(folder.path)/it'\\''s a key'")
  }

  static let malformed = [
    "", "\n", "authgraph-key-1", "authgraph-key-1\n", "authgraph-key-1\nAAAA\n",
    "authgraph-key-2\n\(base64(32))\n", base64(32), "authgraph-key-1\n\(base64(31))\n",
    "authgraph-key-1\n\(base64(33))\n", "authgraph-key-1\n\(base64(32))\nmore\n",
    "authgraph-key-1\nnot base64 at all, is it, or what do you say?\n",
    "authgraph-key-1\n\(base64(32))" + String(repeating: "\n", count: 2000),
    "-----BEGIN PRIVATE KEY-----\n\(base64(32))\n-----END PRIVATE KEY-----\n",
  ]

  private static func base64(_ count: Int) -> String {
    Data(repeating: 7, count: count).base64EncodedString()
  }

  @Test(arguments: malformed)
  func `a malformed file is refused and left as it is`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("secrets.key", text, mode: 0o600)

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: folder.file).seal("x", for: "p")
    }

    #expect(error?.code == .storeUnavailable)
    #expect(error?.description.contains(Self.base64(8).prefix(8)) == false)
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == text)
  }

  @Test func `a folder and a pipe are no key files`() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    mkfifo(pipe, 0o600)

    for path in [folder.path, pipe] {
      let error = #expect(throws: AuthError.self) {
        try KeyFileSealing(path: path).seal("x", for: "p")
      }
      #expect(error?.code == .storeUnavailable)
    }
  }

  @Test func `a link to a key file is followed, and one that leads nowhere is refused`() throws {
    let folder = try TemporaryFolder()
    let link = "\(folder.path)/link"
    symlink(folder.file, link)

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: link).seal("x", for: "p")
    }
    #expect(error?.message.contains("is a link to a file that is not there") == true)

    let sealed = try KeyFileSealing(path: folder.file).seal("secret", for: "p")
    #expect(try KeyFileSealing(path: link).open(sealed, for: "p") == "secret")
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
  func `a file of another user is refused`() throws {
    let folder = try TemporaryFolder()
    _ = try KeyFileSealing(path: folder.file).seal("x", for: "p")
    chown(folder.file, 65534, 65534)

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: folder.file).seal("x", for: "p")
    }

    #expect(error?.message.contains("another user") == true)
    #expect(error?.remedy?.contains("chown 0 ") == true)
  }

  @Test func `a path below a file is an error with its reason`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "x", mode: 0o600)

    let error = #expect(throws: AuthError.self) {
      try KeyFileSealing(path: "\(folder.path)/file/secrets.key").seal("x", for: "p")
    }

    #expect(error?.code == .storeUnavailable)
    #expect(error?.remedy != nil)
  }
}

/// Helpers for a folder of key files.
extension TemporaryFolder {
  fileprivate var file: String { "\(path)/secrets.key" }

  fileprivate func content(_ name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")
  }

  fileprivate func write(_ name: String, _ text: String, mode: mode_t) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    chmod("\(path)/\(name)", mode)
  }
}
