public import Foundation

/// Settings of all apps, for source compatibility.
#if canImport(ObjectiveC)
  @objc(FIRConfiguration)
#endif
public final class FirebaseConfiguration: NSObject, Sendable {
  /// The settings.
  public static let shared = FirebaseConfiguration()

  private override init() {}

  /// Has no effect: the client logs nothing.
  public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) {}
}

/// The levels of a log, for source compatibility.
#if canImport(ObjectiveC)
  @objc(FIRLoggerLevel)
#endif
public enum FirebaseLoggerLevel: Int, Sendable {
  /// Errors.
  case error = 3
  /// Warnings.
  case warning = 4
  /// Remarks.
  case notice = 5
  /// Information.
  case info = 6
  /// Everything.
  case debug = 7

  /// The same as ``error``.
  public static let min = FirebaseLoggerLevel.error
  /// The same as ``debug``.
  public static let max = FirebaseLoggerLevel.debug
}
