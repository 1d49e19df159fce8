import AuthCore
import Foundation
import Synchronization
import TestSupport

/// `authgraph serve` as a process of its own, on a port that is free.
///
/// Everything here waits for another process, so it is to be called on a thread of its own.
final class RunningServer: Sendable {
  /// Where it listens, such as `http://127.0.0.1:40000`.
  let address: String
  private let process: Process
  private let log: Log
  /// One at a time.
  private static let starting = Mutex(())

  /// Starts it and waits until it says that it is there; by another program where one is to run it.
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
    // What is not said is to be the server's own default.
    variables["AUTHGRAPH_STORE"] = nil
    process.environment = variables.merging(environment) { _, own in own }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // Foundation hands on what another thread is just opening, and then takes neither process for ended before both are.
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

  /// Everything that it wrote until now.
  var written: String { log.text }

  /// Waits until it writes a line with these words, and gives the line.
  @discardableResult
  func wait(for words: String) throws -> String { try log.wait(for: words) }

  func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  /// Sends a signal, and gives the exit status and how long the end took.
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

  /// Ends it in the middle of everything.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// Asks for a path; gives the status and the body.
  func get(_ path: String, _ options: [String] = []) throws -> (status: Int, body: String) {
    let text = try RunningProvider.curl(options + ["-w", "\n%{http_code}", address + path])
    let end = text.lastIndex(of: "\n") ?? text.startIndex
    return (Int(text[end...].dropFirst()) ?? 0, String(text[..<end]))
  }
}

/// What a process writes, line by line, read on a thread of its own.
private final class Log: Sendable {
  private struct State {
    var text = ""
    /// How much of the text was waited for.
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

  /// The limit guards against hanging, nothing else.
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
