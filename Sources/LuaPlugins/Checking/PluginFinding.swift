/// One thing that a check found in a plug-in file.
public struct PluginFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Comparable {
    /// The plug-in does not load, or signs people in whom it must not.
    case error
    /// Something to look at.
    case warning

    public static func < (a: Severity, b: Severity) -> Bool { a == .error && b == .warning }
  }

  /// Which kind of finding it is, such as `mutable-subject`; never renamed.
  public let code: String
  public let severity: Severity
  /// What messages call the file.
  public let file: String
  /// Nil where it concerns the whole file.
  public let line: Int?
  /// The field at fault, where one is.
  public let field: String?
  public let message: String
  /// What to do about it.
  public let remedy: String

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
