public import AuthCore

/// One line about a plug-in: what it logged, or what is reported of it.
public struct PluginLogRecord: Sendable, Hashable {
  public enum Level: String, Sendable {
    case info, warn, error
  }

  public let provider: ProviderID
  public let level: Level
  /// Free of the sign-in's secrets.
  public let message: String
  /// The file and the line, where they are known.
  public let place: String?

  public init(_ provider: ProviderID, _ level: Level, _ message: String, place: String? = nil) {
    self.provider = provider
    self.level = level
    self.message = message
    self.place = place
  }
}
