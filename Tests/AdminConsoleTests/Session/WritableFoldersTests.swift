import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AdminConsole

@Suite struct WritableFoldersTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/in/deep", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/out", withIntermediateDirectories: true)
  }

  private var inside: WritableFolders { WritableFolders(["\(folder.path)/in"]) }

  private func write(
    _ text: String, to name: String, overwrite: Bool = false, by folders: WritableFolders? = nil
  ) -> AuthError? {
    do throws(AuthError) {
      try (folders ?? inside).write(
        Array(text.utf8), to: "\(folder.path)/\(name)", overwrite: overwrite)
      return nil
    } catch {
      return error
    }
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)").sorted()
  }

  @Test func `a file is its owner's alone, and no draft stays`() throws {
    #expect(write("one", to: "in/a.csv") == nil)
    #expect(write("two", to: "in/deep/b.csv") == nil)
    #expect(text("in/a.csv") == "one")
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/in/a.csv")
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try names("in") == ["a.csv", "deep"])
  }

  @Test func `a file that exists is kept, unless it is to be overwritten`() throws {
    #expect(write("one", to: "in/a.csv") == nil)
    let error = write("two", to: "in/a.csv")
    #expect(error?.code == .invalidArgument)
    #expect(error?.remedy?.contains("overwrite = true") == true)
    #expect(text("in/a.csv") == "one")
    #expect(write("two", to: "in/a.csv", overwrite: true) == nil)
    #expect(text("in/a.csv") == "two")
    #expect(try names("in") == ["a.csv", "deep"])
  }

  @Test(arguments: ["out/a.csv", "in/../out/a.csv", "a.csv", "in2/a.csv"])
  func `nothing is written outside`(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/in2", withIntermediateDirectories: true)
    let error = write("x", to: name)
    #expect(error?.code == .operationNotAllowed, "\(name)")
    #expect(error?.remedy?.contains("--allow-write") == true)
    #expect(text(name) == nil)
  }

  @Test func `a link that leaves the folder is refused`() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: "\(folder.path)/in/door", withDestinationPath: "\(folder.path)/out")
    try "mine".write(toFile: "\(folder.path)/out/file", atomically: true, encoding: .utf8)
    try manager.createSymbolicLink(
      atPath: "\(folder.path)/in/link", withDestinationPath: "\(folder.path)/out/file")

    #expect(write("x", to: "in/door/new")?.code == .operationNotAllowed)
    #expect(write("x", to: "in/link")?.code == .invalidArgument)
    #expect(write("x", to: "in/link", overwrite: true)?.code == .invalidArgument)
    #expect(text("out/file") == "mine")
    #expect(try names("out") == ["file"])
  }

  @Test func `a link to the folder itself is the folder`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/alias", withDestinationPath: "\(folder.path)/in")
    #expect(write("x", to: "in/a", by: WritableFolders(["\(folder.path)/alias"])) == nil)
    #expect(write("x", to: "alias/b") == nil)
    #expect(try names("in") == ["a", "b", "deep"])
  }

  @Test(arguments: ["in/", "in/.", "in/..", "in/no/file", "in/deep"])
  func `what is no name of a new file is refused`(_ name: String) {
    #expect(write("x", to: name) != nil)
  }

  @Test func `a script without a folder is told how to get one`() {
    let error = write("x", to: "in/a", by: WritableFolders.none)
    #expect(error?.code == .operationNotAllowed)
    #expect(error?.remedy?.contains("authgraph run --allow-write DIR FILE") == true)
  }
}
