import Foundation
import TestSupport

/// Counts the instructions of `countedruns`, which are the same on a busy machine.
enum Instructions {
  /// The program without debug information, which valgrind cannot read.
  private static let program = Result {
    // In a separate folder, because files beside the products would make the next build look for changes.
    let folder = Program.products.appending(path: "stripped")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appending(path: "countedruns").path
    try runProgram(
      "strip", ["-o", copy, Program.products.appending(path: "countedruns").path])
    return copy
  }

  /// Counts the instructions of a run with these arguments, from the point that the program marks.
  static func counted(of arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/valgrind")
    process.arguments =
      ["--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null"]
      + [try program.get()] + arguments
    // Texts have the same hashes in each run, so that hash tables are visited in the same order.
    process.environment = ["SWIFT_DETERMINISTIC_HASHING": "1", "PATH": "/usr/bin:/bin"]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let count = text.firstMatch(of: /Collected : (\d+)/).flatMap({ Double($0.output.1) }),
      count > 0
    else { throw Failed(description: "valgrind counted nothing:\n\(text)") }
    return count
  }
}
