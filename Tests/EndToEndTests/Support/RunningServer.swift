import AuthCore
import Foundation
import Synchronization
import TestSupport

/// `authgraph serve` as a separate process, on a free port.
///
/// Everything here waits for another process, so call it on a separate thread.
final class RunningServer: Sendable {
  /// The address at which the server listens, such as `http://127.0.0.1:40000`.
  let address: String
  private let process: Process
  private let log: Log
  /// Guards starts, of which there is one at a time.
  private static let starting = Mutex(())

  /// Starts the server, through another program if one is given, and waits until it listens.
  init(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    by runner: [String] = []
  ) throws {
    let words = runner + [Program.path, "serve"] + arguments
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = URL(filePath: folder.path)
    var variables = folder.environment
    // Without a setting, the server's own default applies.
    variables["AUTHGRAPH_STORE"] = nil
    process.environment = variables.merging(environment) { _, own in own }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // Foundation passes on descriptors that another thread is opening, so each process would seem to run until both
    // end.
    let errors = try Self.starting.withLock { _ in
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      return errors
    }
    self.process = process
    log = Log(errors.fileHandleForReading)
    let line = try log.wait(for: "AuthGraph listens on ")
    address = String(line.split(separator: " ")[3])
  }

  deinit {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  var processID: Int32 { process.processIdentifier }

  /// All output so far.
  var written: String { log.text }

  /// Waits for a line with these words, and returns the line.
  @discardableResult
  func wait(for words: String) throws -> String { try log.wait(for: words) }

  func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  /// Sends a signal, and returns the exit status and the time that the end took.
  func end(by number: Int32) throws -> (status: Int32, after: Duration) {
    let clock = ContinuousClock()
    let time = clock.measure {
      signal(number)
      process.waitUntilExit()
    }
    guard process.terminationReason == .exit else {
      throw Failed(description: "the server died of signal \(process.terminationStatus)")
    }
    return (process.terminationStatus, time)
  }

  /// Kills the server during its work.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// Requests a path; returns the status and the body.
  func get(_ path: String, _ options: [String] = []) throws -> (status: Int, body: String) {
    let text = try RunningProvider.curl(options + ["-w", "\n%{http_code}", address + path])
    let end = text.lastIndex(of: "\n") ?? text.startIndex
    return (Int(text[end...].dropFirst()) ?? 0, String(text[..<end]))
  }
}

/// The output of a process, line by line, read on a separate thread.
private final class Log: Sendable {
  private struct State {
    var text = ""
    /// The length of the text that was waited for.
    var seen = 0
    var isOver = false
  }

  private let state = Mutex(State())

  init(_ file: FileHandle) {
    Thread.detachNewThread { [self] in
      while true {
        let bytes = file.availableData
        state.withLock { state in
          state.text += String(decoding: bytes, as: UTF8.self)
          state.isOver = bytes.isEmpty
        }
        if bytes.isEmpty { return }
      }
    }
  }

  var text: String { state.withLock { $0.text } }

  /// Waits for a line; the limit only prevents a hang.
  func wait(for words: String) throws -> String {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let (line, isOver) = state.withLock { state in
        let lines = state.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let found = lines.enumerated().first {
          $0.offset >= state.seen && $0.element.contains(words)
        }
        if let found { state.seen = found.offset + 1 }
        return (found.map { String($0.element) }, state.isOver)
      }
      if let line { return line }
      guard !isOver else { break }
      usleep(20_000)
    }
    throw Failed(description: "\"\(words)\" was never written, but:\n\(text)")
  }
}
