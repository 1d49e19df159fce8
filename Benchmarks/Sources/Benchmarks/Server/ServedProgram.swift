import Foundation

/// A server in a process of its own, which prints its address.
final class ServedProgram {
  private let served = Process()
  let address: String

  /// Starts a program, and waits until it listens.
  init(_ program: String, _ arguments: [String] = []) throws {
    served.executableURL = URL(filePath: program)
    served.arguments = arguments
    // All requests of a benchmark come from one address.
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
    // Later output has to be read, or the server would block.
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  /// Returns arguments that make our server Firebase's emulator on an SQLite file.
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
