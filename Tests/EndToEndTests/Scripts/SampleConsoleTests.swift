import Foundation
import Testing
import TestSupport

/// `Scripts/console --sample`, on the built binary and without building.
@Suite struct `The console on a sample` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["root/Scripts", "root/.build/release", "temporary"] {
      try files.createDirectory(
        atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    for (name, target) in [
      ("Scripts/console", "\(Program.root)/Scripts/console"),
      ("Scripts/samples", "\(Program.root)/Scripts/samples"),
      ("Plugins", "\(Program.root)/Plugins"),
      ("Scripts/setup", "/bin/true"), ("Scripts/build", "/bin/true"),
      (".build/release/authgraph", Program.path),
    ] {
      try files.createSymbolicLink(
        atPath: "\(folder.path)/root/\(name)", withDestinationPath: target)
    }
  }

  private func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/temporary")
  }

  @Test(arguments: [nil, SIGHUP, SIGTERM, SIGINT])
  func `leaves nothing behind, however it ends`(_ signal: Int32?) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["\(folder.path)/root/Scripts/console", "--sample"]
    process.environment = folder.environment.merging(["TMPDIR": "\(folder.path)/temporary"]) { $1 }
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let limit = ProcessLimit(process)
    try input.fileHandleForWriting.write(contentsOf: Data("accounts.count() > 0\n".utf8))
    var shown = ""
    while !shown.contains("true") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      shown += String(decoding: more, as: UTF8.self)
    }
    #expect(shown.contains("true"), "\(shown)")
    #expect(try left().count == 1)

    if let signal { kill(process.processIdentifier, signal) }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try limit.check()

    #expect(try left().isEmpty)
  }
}
