import Foundation
import TestSupport

/// The built binary.
enum Program {
  /// The result of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
    let wasKilled: Bool
  }

  /// The folder of the products with which the tests were built.
  static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  static let path = products.appending(path: "authgraph").path
  /// The root of the repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Runs the binary to its end; the folder becomes its home, so that the user's files are not touched.
  static func run(
    _ arguments: [String], of program: String = path, in folder: TemporaryFolder,
    input: String? = nil,
    bytes: [UInt8]? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = folder.environment.merging(environment) { _, own in own }
    process.currentDirectoryURL = URL(filePath: root)
    let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    process.standardInput = inputPipe
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    try process.run()
    let limit = ProcessLimit(process)
    if let input = bytes ?? input.map({ Array($0.utf8) }) {
      // A program that ends early stops reading.
      signal(SIGPIPE, SIG_IGN)
      try? inputPipe.fileHandleForWriting.write(contentsOf: Data(input))
    }
    try inputPipe.fileHandleForWriting.close()
    // Errors are few; output is drained first, so that a full pipe does not block.
    let output = outputPipe.fileHandleForReading.readDataToEndOfFile()
    let errors = errorPipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try limit.check()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self),
      wasKilled: process.terminationReason == .uncaughtSignal)
  }
}

// The files of a program in a folder, and runs in it.
extension TemporaryFolder {
  var store: String { "\(path)/accounts.db" }

  var environment: [String: String] {
    [
      "AUTHGRAPH_STORE": "sqlite:\(store)", "HOME": path, "PATH": "/usr/bin:/bin",
      "TERM": "dumb", "LANG": "C.UTF-8", "TZ": "UTC",
    ]
  }

  /// Runs Lua code with two rehearsal providers, and returns its output.
  @discardableResult
  func lua(_ code: String, file: StaticString = #filePath, line: UInt = #line) throws -> String {
    let outcome = try run(code)
    guard outcome.status == 0 else {
      throw Failed(description: "line \(line): \(outcome.errors)\(outcome.output)")
    }
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  func run(_ code: String) throws -> Program.Outcome {
    try Program.run(
      [
        "console", "--rehearsal-provider", "fake.example", "--rehearsal-provider", "other.example",
        "-e", code,
      ], in: self)
  }
}
