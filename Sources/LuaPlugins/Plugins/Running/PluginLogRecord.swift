public import AuthCore

/// One line about a plug-in: its own, or a report about it.
public struct PluginLogRecord: Sendable, Hashable {
  /// The weight of a line.
  public enum Level: String, Sendable {
    case info, warn, error
  }

  /// The plug-in's ID.
  public let provider: ProviderID
  /// The weight of the line.
  public let level: Level
  /// The text, without the sign-in's secrets.
  public let message: String
  /// The file and the line, if they are known.
  public let place: String?

  /// Makes a record.
  public init(_ provider: ProviderID, _ level: Level, _ message: String, place: String? = nil) {
    self.provider = provider
    self.level = level
    self.message = message
    self.place = place
  }
}
