import AuthCore

/// A problem of a configuration that an admin has to know.
struct ConfigurationFinding: Hashable, Sendable {
  enum Severity: String, Sendable {
    case error, warning
  }

  var severity = Severity.error
  /// `authgraph.yaml:12`, `AUTHGRAPH_LISTEN_PORT` or `--port`.
  let place: String
  /// The line of the file; nil if the place is not in the file.
  var line: Int?
  /// The setting's path, such as `messages.smtp.port`.
  let field: String
  let message: String
  let remedy: String?

  /// The finding in one line, for a terminal or a log.
  var text: String {
    let mark = severity == .warning ? "warning: " : ""
    return "\(place): \(mark)\(message)\(remedy.map { " \($0)" } ?? "")"
  }

  var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "place": .string(place),
      "line": line.map { .integer(Int64($0)) } ?? .null, "field": .string(field),
      "message": .string(message), "remedy": .optional(remedy),
    ]
  }
}
