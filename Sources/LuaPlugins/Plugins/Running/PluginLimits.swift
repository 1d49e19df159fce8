/// The limits of one sign-in through a plug-in.
public struct PluginLimits: Sendable, Hashable {
  /// The CPU time of each of its functions; other sign-ins of the same plug-in wait for it.
  public var cpuTime: Duration = .milliseconds(30)
  /// The instructions that each of its functions may execute.
  public var instructions = 5_000_000
  /// The memory of its script, in bytes.
  public var memory = 16 << 20
  /// The time in all, including every wait for the vendor.
  public var time: Duration = .seconds(20)
  /// The time of one request.
  public var requestTime: Duration = .seconds(10)
  /// The number of requests.
  public var requests = 10
  /// The size of an answer, in bytes.
  public var answerBytes = 256 << 10
  /// The number of lines that it may log, each cut at 500 characters.
  public var logLines = 20

  /// Makes the usual limits.
  public init() {}
}
