/// What one sign-in through a plug-in may use.
public struct PluginLimits: Sendable, Hashable {
  /// How much CPU time each of its functions may take; other sign-ins of the same plug-in wait for it.
  public var cpuTime: Duration = .milliseconds(30)
  /// How many instructions each of its functions may execute.
  public var instructions = 5_000_000
  /// How many bytes its script may hold.
  public var memory = 16 << 20
  /// How long it may take in all, with every wait for the vendor.
  public var time: Duration = .seconds(20)
  /// How long one request may take.
  public var requestTime: Duration = .seconds(10)
  /// How many requests it may make.
  public var requests = 10
  /// How many bytes of an answer are read.
  public var answerBytes = 256 << 10
  /// How many lines it may log, each cut at 500 characters.
  public var logLines = 20

  /// Takes the usual limits.
  public init() {}
}
