import Logging
import Synchronization

/// The log of a server.
final class LogLines: Sendable {
  private let kept = Mutex<[String]>([])

  var all: [String] { kept.withLock(\.self) }
  var text: String { all.joined(separator: "\n") }

  func clear() { kept.withLock { $0 = [] } }

  /// A logger of every level.
  var logger: Logger {
    var logger = Logger(label: "server") { _ in Handler(lines: self) }
    logger.logLevel = .trace
    return logger
  }

  fileprivate func append(_ line: String) { kept.withLock { $0.append(line) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: LogLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.append("\(event.message) \(event.metadata ?? [:]) \(metadata)")
    }
  }
}
