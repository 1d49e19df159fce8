import AuthTesting
import Foundation

/// Reads the resources that a database and this process have spent.
struct ServerMeter {
  private let server: PostgresServer
  private let mainProcess: Int

  init(_ server: PostgresServer) throws {
    self.server = server
    let folder = try server.run("SHOW data_directory")
    let first = Self.text("\(folder)/postmaster.pid")?.split(separator: "\n").first
    mainProcess = first.flatMap { Int($0) } ?? 0
  }

  struct Reading {
    /// The CPU time of the database's processes in nanoseconds, by process.
    var processes: [Int: (nanoseconds: Double, isBackend: Bool)] = [:]
    var clientSeconds = 0.0
    var logPosition = 0.0
    /// The number of assigned transaction numbers; each attempt that wrote took some.
    var transactions = 0.0
  }

  struct Difference {
    /// Times in microseconds.
    var client = 0.0
    var backends = 0.0
    var background = 0.0
    var logBytes = 0.0
    var transactions = 0.0
  }

  /// Takes the slowest readings first, so that reading is not counted.
  func before() throws -> Reading {
    var reading = Reading()
    (reading.logPosition, reading.transactions) = try ask()
    reading.processes = try backends()
    reading.clientSeconds = Self.clientSeconds
    return reading
  }

  func after(_ before: Reading) throws -> Difference {
    var difference = Difference()
    difference.client = (Self.clientSeconds - before.clientSeconds) * 1e6
    for (id, process) in try backends() {
      let spent = (process.nanoseconds - (before.processes[id]?.nanoseconds ?? 0)) / 1000
      if process.isBackend { difference.backends += spent } else { difference.background += spent }
    }
    let (position, transactions) = try ask()
    difference.logBytes = position - before.logPosition
    difference.transactions = transactions - before.transactions
    return difference
  }

  private func ask() throws -> (Double, Double) {
    let parts = try server.run(
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
        txid_snapshot_xmax(txid_current_snapshot())
      """
    ).split(separator: "|").compactMap { Double($0) }
    return parts.count == 2 ? (parts[0], parts[1]) : (0, 0)
  }

  /// Returns the CPU time of the database's processes, by process.
  private func backends() throws -> [Int: (nanoseconds: Double, isBackend: Bool)] {
    var spent: [Int: (nanoseconds: Double, isBackend: Bool)] = [:]
    for id in try processes() {
      guard let schedule = Self.text("/proc/\(id)/schedstat")?.split(separator: " ").first
      else { continue }
      let title = Self.text("/proc/\(id)/cmdline") ?? ""
      spent[id] = (Double(schedule) ?? 0, title.contains("127.0.0.1("))
    }
    return spent
  }

  private static var clientSeconds: Double {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// Returns the database's processes.
  func processes() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let id = Int(name), let stat = Self.text("/proc/\(id)/stat"),
        let end = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      let isOurs = id == mainProcess || (fields.count > 1 && Int(fields[1]) == mainProcess)
      return isOurs ? id : nil
    }
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
