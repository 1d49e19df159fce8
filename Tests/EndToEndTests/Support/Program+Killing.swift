import Foundation
import TestSupport

extension Program {
  /// Runs a script and kills it some time after a step began; returns false if it ended before.
  static func isKilled(
    _ script: String, in folder: TemporaryFolder, after microseconds: UInt32, of step: String
  ) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["run", script]
    process.environment = folder.environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains(step) {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { break }
      said += part
    }
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    _ = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }
}
