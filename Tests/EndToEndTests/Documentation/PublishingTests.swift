import Foundation
import Testing
import TestSupport

/// The article "Publish a provider" does what it says, in order, in one folder.
@Suite struct `The article about publishing a provider` {
  private let folder: TemporaryFolder
  private let article: Article

  init() throws {
    folder = try TemporaryFolder()
    article = try Article("Sources/LuaPlugins/LuaPlugins.docc/PublishAProvider.md")
  }

  @Test func `its files are packed, signed and installed as it shows`() throws {
    let files = article.blocks("lua")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/shared", withIntermediateDirectories: true)
    try folder.write("shared/names.lua", try files.first.unwrapped("the module") + "\n")
    try folder.write("orbit.example.lua", try files.last.unwrapped("the plug-in") + "\n")
    var key = ""
    var commands: [(command: String, output: [String])] = []
    for line in article.lines("sh") {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    #expect(files.count == 2 && commands.count == 4)
    for (command, output) in commands {
      let printed = try shell(command.replacing("ed25519:…", with: key))
      if let match = printed.firstMatch(of: /ed25519:[A-Za-z0-9+\/=]+/) { key = String(match.0) }
      #expect(
        steady(printed).split(separator: "\n").map(String.init) == output, "\(command)\n\(printed)")
    }
  }

  private func steady(_ text: String) -> String {
    text.replacing(/ed25519:[A-Za-z0-9+\/=]+/, with: "ed25519:…")
      .replacing(/sha256:[0-9a-f]{64}/, with: "sha256:…")
  }

  private func shell(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(command) 2>&1"]
    process.environment = folder.environment.merging([
      "PATH": "\(Program.products.path):/usr/bin:/bin"
    ]) { _, own in own }
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
