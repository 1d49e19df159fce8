import AuthCore
import Foundation
import TestSupport

/// `authgraph idp` as a separate process, on a free port.
///
/// Everything here waits for another process, so call it on a separate thread.
final class RunningProvider: Sendable {
  /// The overview that the provider printed.
  let overview: JSONValue
  private let process: Process

  /// Starts the provider and waits until it is ready.
  init(_ arguments: [String] = [], in folder: TemporaryFolder) throws {
    process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["idp", "--json", "--port", "0"] + arguments
    process.environment = folder.environment
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw Failed(description: "the provider ended by itself") }
      line += bytes
    }
    overview = try JSONValue(text: String(decoding: line, as: UTF8.self))
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var issuer: String { overview["issuer"]?.stringValue ?? "" }

  /// The line for the console that the provider printed.
  var configuration: String { (overview["console"]?.stringValue ?? "") + "\n" }

  /// Sends a signal, and returns the exit status.
  func end(by signal: Int32) throws -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      throw Failed(description: "the provider died of signal \(process.terminationStatus)")
    }
    return process.terminationStatus
  }

  /// Requests tokens without a browser.
  func tokens(_ query: String = "person=1001&nonce=n1") throws -> (id: String, access: String) {
    let answer = try JSONValue(text: try Self.curl(["\(issuer)/tokens?\(query)"]))
    return (answer["id_token"]?.stringValue ?? "", answer["access_token"]?.stringValue ?? "")
  }

  /// Makes the provider misbehave, or behave.
  func turn(_ names: [String]) throws {
    let order: JSONValue = ["names": .array(names.map(JSONValue.string))]
    let answer = try Self.curl(["-d", order.text, "\(issuer)/hostile"])
    guard answer == order.text else { throw Failed(description: answer) }
  }

  /// Opens an authorization URL as a person, and returns the URL to which the browser is redirected.
  func browse(_ url: String, person: String = "1001") throws -> String {
    try Self.curl(["-o", "/dev/null", "-w", "%{redirect_url}", "\(url)&person=\(person)"])
  }

  /// Runs curl, and returns its output.
  static func curl(_ arguments: [String]) throws -> String {
    try runProgram("curl", ["-s", "--max-time", "60", "--noproxy", "*"] + arguments)
  }
}
