import Foundation
import TestSupport

/// A short Python program, as an independent implementation.
struct PythonProgram {

  private let source: String
  private let modules: String?

  /// Takes the program, and the packages that it imports.
  ///
  /// They are installed once, into the folder of build products.
  init(_ source: String, packages: [String] = []) throws {
    self.source = source
    guard !packages.isEmpty else {
      modules = nil
      return
    }
    let folder = Self.folder(named: packages.joined(separator: "-"))
    modules = folder
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    // Installed beside its place, so that an interrupted run leaves nothing incomplete.
    let draft = "\(folder)-\(UUID())"
    let status = try Self.run(
      ["-m", "pip", "install", "--quiet", "--target", draft] + packages, modules: nil
    ).status
    guard status == 0 else { throw Failed(description: "pip cannot install \(packages)") }
    guard rename(draft, folder) == 0 || FileManager.default.fileExists(atPath: folder) else {
      throw Failed(description: "\(folder) cannot be made")
    }
  }

  /// Runs the program to its end with a text on its standard input, and returns its output.
  func output(input: String) throws -> String {
    let (status, output) = try Self.run(["-c", source], input: input, modules: modules)
    guard status == 0 else { throw Failed(description: "python ended with \(status)") }
    return output
  }

  /// Starts the program, and returns its first line and a function that waits for the rest.
  func start() throws -> (firstLine: String, rest: @Sendable () -> String) {
    let pipe = Pipe()
    let process = Self.process(["-c", source], modules: modules)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    let reading = pipe.fileHandleForReading
    var line = Data()
    while let byte = try reading.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A]) {
      line += byte
    }
    return (
      String(decoding: line, as: UTF8.self),
      { String(decoding: reading.readDataToEndOfFile(), as: UTF8.self) }
    )
  }

  private static func run(
    _ arguments: [String], input: String = "", modules: String?
  ) throws -> (status: Int32, output: String) {
    // A file takes any amount at once; two pipes would have to be served at the same time.
    let file = FileManager.default.temporaryDirectory.appending(path: "authgraph-\(UUID())").path
    try input.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = process(arguments, modules: modules)
    let pipe = Pipe()
    process.standardInput = FileHandle(forReadingAtPath: file)
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  private static func process(_ arguments: [String], modules: String?) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONPATH"] = modules
    environment["PIP_ROOT_USER_ACTION"] = "ignore"
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    process.environment = environment
    return process
  }

  private static func folder(named name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "python-\(name)").path
  }
}
