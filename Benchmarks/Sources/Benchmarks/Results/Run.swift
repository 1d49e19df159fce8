import Foundation

/// The result of repeating an operation.
struct Run: Sendable {
  /// The operations a second.
  let rate: Double
  /// The median latency in microseconds, as a caller sees it.
  let median: Double
  /// The processor time of the working process for each operation, in microseconds.
  let processor: Double

  init(rate: Double, median: Double, processor: Double) {
    self.rate = rate
    self.median = median
    self.processor = processor
  }

  /// Times a closure, which returns the latency of each operation in microseconds.
  static func timed(_ body: () async throws -> [Double]) async rethrows -> Run {
    let processor = ProcessorTime.microseconds(of: nil)
    let start = ContinuousClock.now
    let latencies = try await body()
    let seconds = max((ContinuousClock.now - start) / .seconds(1), 1e-9)
    let count = Double(max(1, latencies.count))
    return Run(
      rate: Double(latencies.count) / seconds,
      median: latencies.isEmpty ? 0 : latencies.sorted()[latencies.count / 2],
      processor: (ProcessorTime.microseconds(of: nil) - processor) / count)
  }
}

/// The processor time of a process.
enum ProcessorTime {
  /// Returns the time in microseconds; of this process if none is named.
  static func microseconds(of process: Int32?) -> Double {
    guard let process else { return ofThisProcess }
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return 0 }
    // The 14th and 15th fields (proc_pid_stat(5)); two come before the closing parenthesis.
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))) * 1e6
  }

  /// `RUSAGE_SELF`, whose type differs between systems.
  private static let thisProcess = Int32(0)

  private static var ofThisProcess: Double {
    var usage = rusage()
    getrusage(thisProcess, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
  }
}
