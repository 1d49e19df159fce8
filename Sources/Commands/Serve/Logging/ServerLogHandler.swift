import AuthCore
import Foundation
import Logging
import TerminalOutput

/// Writes the log of a server to standard error, a line for each event, as text or as JSON.
///
/// Each line holds exactly one event, and none can steer a terminal that shows it, now or later. Characters that a
/// terminal would obey or hide become visible escapes in text, and JSON escapes in JSON.
struct ServerLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let settings: LogSettings
  private let write: @Sendable (String) -> Void
  private let clock: @Sendable () -> Timestamp
  private var ownLevel: Logger.Level?

  init(
    label: String, settings: LogSettings,
    write: @escaping @Sendable (String) -> Void = LogLine.standardError,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.label = label
    self.settings = settings
    self.write = write
    self.clock = clock
  }

  /// The configured level, also after a change, unless this logger has a level of its own.
  var logLevel: Logger.Level {
    get { ownLevel ?? settings.current.level }
    set { ownLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let settings = settings.current
    var details = event.metadata ?? [:]
    for general in [metadataProvider?.get(), metadata].compactMap(\.self) where !general.isEmpty {
      details.merge(general) { own, _ in own }
    }
    if let error = event.error { details["error"] = "\(error)" }
    let line = LogLine(
      at: clock(), level: event.level, label: label, message: event.message.description,
      details: details.map { ($0.key, $0.value.description) }, showsEmails: settings.showsEmails)
    write(settings.format == .json ? line.json : line.text)
  }
}

/// One line of a log.
struct LogLine {
  let at: Timestamp
  let level: Logger.Level
  let label: String
  let message: String
  /// The details, sorted by name.
  let details: [(name: String, value: String)]

  init(
    at: Timestamp, level: Logger.Level, label: String, message: String,
    details: [(name: String, value: String)], showsEmails: Bool
  ) {
    self.at = at
    self.level = level
    self.label = label
    self.message = showsEmails ? message : PersonalText.masked(message)
    var details = details
    details.sort { $0.name < $1.name }
    if !showsEmails {
      for index in details.indices {
        details[index].value = PersonalText.masked(details[index].value)
      }
    }
    self.details = details
  }

  /// The line for people; the request's ID comes first.
  var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(200)
    func add(_ texts: String...) { for text in texts { bytes.append(contentsOf: text.utf8) } }
    add(at.text, " ", level.rawValue, " ", label, ": ", message)
    for (name, value) in details { add(" ", name, "=", Self.value(value)) }
    return VisibleText.neutralised(String(decoding: bytes, as: UTF8.self))
  }

  /// One JSON object: `time`, `level`, `logger`, `message`, and the details under their own names.
  var json: String {
    var members: [String: JSONValue] = [
      "time": .string(at.text), "level": .string(level.rawValue), "logger": .string(label),
      "message": .string(message),
    ]
    for (name, value) in details {
      members[members[name] == nil ? name : "\(name)_"] = .string(value)
    }
    let text = JSONValue.object(members).text
    // Most lines have no such characters.
    return Self.hasOnly(text) { (0x20...0x7E).contains($0) } ? text : VisibleText.json(text)
  }

  static let standardError: @Sendable (String) -> Void = { line in
    // A failure to write to standard error cannot be reported.
    try? TextOutput.standardError.write(line: line)
  }

  private static func value(_ text: String) -> String {
    let needsNoQuotes =
      hasOnly(text, isPlain)
      || !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    return needsNoQuotes && !text.isEmpty ? text : JSONValue.string(text).text
  }

  /// Tells whether a byte is a letter, a digit or another ASCII character that needs no quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }

  private static func hasOnly(_ text: String, _ isWanted: (UInt8) -> Bool) -> Bool {
    // Walking the UTF-8 buffer is many times faster than walking the view.
    var text = text
    return text.withUTF8 { $0.allSatisfy(isWanted) }
  }
}
