import Foundation

/// A server as a process of its own, which says where it listens.
final class ServedProgram {
  private let served = Process()
  let address: String

  /// Starts a program, and waits until it listens.
  init(_ program: String, _ arguments: [String] = []) throws {
    served.executableURL = URL(filePath: program)
    served.arguments = arguments
    // All that a benchmark asks comes from one address.
    served.environment = ProcessInfo.processInfo.environment.merging(
      ["AUTHGRAPH_LIMITS_CONNECTIONS_PER_ADDRESS": "0"]) { $1 }
    let errors = Pipe()
    served.standardError = errors
    served.standardOutput = FileHandle.nullDevice
    try served.run()
    var text = ""
    while !text.contains("listens on") {
      let data = errors.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let start = text.range(of: "listens on ") else {
      throw Wrk.Failure(description: "The server did not start:\n\(text)")
    }
    address = String(text[start.upperBound...].prefix { !$0.isWhitespace })
    // What it writes later has to go somewhere, or it would wait.
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  /// What our server is told so that it is Firebase's emulator on a file of SQLite.
  static func emulator(on path: String) -> [String] {
    [
      "serve", "--compat", "emulator", "--store", "sqlite:\(path)", "--project", "bench",
      "--port", "0",
    ]
  }

  var process: Int32 { served.processIdentifier }

  func stop() {
    served.terminate()
    served.waitUntilExit()
  }
}
