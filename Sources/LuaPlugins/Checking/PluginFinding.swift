/// One finding of a check in a plug-in file.
public struct PluginFinding: Sendable, Hashable, CustomStringConvertible {
  /// The weight of a finding.
  public enum Severity: String, Sendable, Comparable {
    /// The plug-in does not load, or could sign in the wrong person.
    case error
    /// A place to review.
    case warning

    /// Orders errors before warnings.
    public static func < (a: Severity, b: Severity) -> Bool { a == .error && b == .warning }
  }

  /// The kind of finding, such as `mutable-subject`; never renamed.
  public let code: String
  /// The weight of the finding.
  public let severity: Severity
  /// The file's name in messages.
  public let file: String
  /// The line; nil if the finding is about the whole file.
  public let line: Int?
  /// The field at fault, if there is one.
  public let field: String?
  /// The description of the problem.
  public let message: String
  /// The remedy.
  public let remedy: String

  /// Makes a finding.
  public init(
    _ code: String, _ severity: Severity, file: String, line: Int? = nil, field: String? = nil,
    _ message: String, remedy: String
  ) {
    self.code = code
    self.severity = severity
    self.file = file
    self.line = line
    self.field = field
    self.message = message
    self.remedy = remedy
  }

  /// One line: place, severity, code, message and remedy.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity) [\(code)] \(message) \(remedy)"
  }
}
