import Foundation

/// A program in the folder AdminSDK, which uses published Python packages.
enum PythonProgram {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("AdminSDK")

  /// Runs the program to its end.
  ///
  /// It needs Python 3 with venv, and a package index once.
  static func run(
    _ script: String, _ arguments: [String], _ environment: [String: String]
  ) async throws -> (status: Int32, output: String) {
    let process = Process()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "authgraph-python-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", folder.appendingPathComponent(script).path] + arguments
    let environment = environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { _, own in own }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    // The server runs in this process, so none of its threads may block here.
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return (status, try String(contentsOf: file, encoding: .utf8))
  }
}
