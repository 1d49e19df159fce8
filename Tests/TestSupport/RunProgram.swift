import Foundation

/// Runs a program of this machine to its end, and returns its output and errors; throws if it failed.
@discardableResult
public func runProgram(_ name: String, _ arguments: [String]) throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [name] + arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw Failed(
      description:
        "\(name) \(arguments.joined(separator: " ")): \(process.terminationStatus) \(text)")
  }
  return text
}
