import Foundation
import SQLiteStore

/// Measures the memory of the server and of the trivial one: at rest, and for each open connection.
struct MemoryBench {
  let folder: String
  let accounts: Int
  let connections: Int
  let rounds: Int

  func run() throws -> [MemoryComparison] {
    let path = "\(folder)/server.db"
    try SQLiteStore(path: path).close()
    try FileLimit.fill(path: path, accounts: accounts, events: false)
    let line = RequestLines(accounts: accounts, round: 0, of: 1).lines(.lookup)[0]
    var (ours, limit): ([Sample], [Sample]) = ([], [])
    for _ in 0..<rounds {
      ours.append(
        try sample(
          ServedProgram(
            WorkFolder.program, ServedProgram.emulator(on: path)), asking: line))
      limit.append(
        try sample(
          ServedProgram(WorkFolder.trivialServer),
          asking: RequestLines.trivial))
    }
    return [
      MemoryComparison(
        what: "at rest", ours: ours.map(\.idle), limit: limit.map(\.idle), goal: 1.5),
      MemoryComparison(
        what: "a connection", ours: ours.map(\.connection), limit: limit.map(\.connection),
        goal: 1.2),
    ]
  }

  /// Memory in KiB.
  private struct Sample {
    let idle: Double
    let connection: Double
  }

  private func sample(_ server: ServedProgram, asking line: String) throws -> Sample {
    defer { server.stop() }
    // The first requests allocate what all later ones share.
    let first = try (0..<8).map { _ in try OpenConnection(server.address, asking: line) }
    let idle = try ResidentMemory.kibibytes(of: server.process)
    let others = try (0..<connections).map { _ in try OpenConnection(server.address, asking: line) }
    let busy = try ResidentMemory.kibibytes(of: server.process)
    return withExtendedLifetime((first, others)) {
      Sample(idle: idle, connection: (busy - idle) / Double(connections))
    }
  }
}

/// The result of comparing two servers in several rounds, in KiB.
struct MemoryComparison: Codable, Sendable {
  let what: String
  let ours: Comparison.Spread
  let limit: Comparison.Spread
  /// Ours as a multiple of the limit.
  let ratio: Double
  /// The largest acceptable ratio.
  let goal: Double

  init(what: String, ours: [Double], limit: [Double], goal: Double) {
    self.what = what
    self.ours = Comparison.Spread(ours)
    self.limit = Comparison.Spread(limit)
    self.goal = goal
    ratio = self.ours.median / self.limit.median
  }

  var line: String {
    func shown(_ spread: Comparison.Spread) -> String {
      String(format: "%.0f (%.0f-%.0f)", spread.median, spread.least, spread.most)
    }
    return "\(what): \(shown(ours)) KiB, a trivial server \(shown(limit)) KiB, "
      + String(format: "ratio %.2f, at most %.1f wanted", ratio, goal)
  }
}

/// A connection that sent one request and stays open.
private final class OpenConnection {
  private let descriptor: Int32

  init(_ address: String, asking line: String) throws {
    let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // At its limit of connections, a server accepts no more, without an error.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var server = sockaddr_in()
    server.sin_family = sa_family_t(AF_INET)
    server.sin_port = port.bigEndian
    server.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let connected = withUnsafePointer(to: &server) { server in
      server.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let parts = line.split(separator: " ", maxSplits: 1)
    let request = """
      POST \(parts[0]) HTTP/1.1\r
      host: 127.0.0.1\r
      content-type: application/json\r
      content-length: \(parts[1].utf8.count)\r
      \r
      \(parts[1])
      """
    var answer = [UInt8](repeating: 0, count: 1 << 14)
    guard connected == 0, send(descriptor, request, request.utf8.count, 0) == request.utf8.count,
      recv(descriptor, &answer, answer.count, 0) > 0,
      answer.starts(with: Array("HTTP/1.1 200".utf8))
    else {
      throw Wrk.Failure(
        description: "\(address) gave no answer: \(String(decoding: answer, as: UTF8.self))")
    }
  }

  deinit { close(descriptor) }
}

/// The resident memory of a process, which includes the used pages of its program and libraries.
enum ResidentMemory {
  static func kibibytes(of process: Int32) throws -> Double {
    // Memory that is freed a moment later should not count.
    usleep(1_000_000)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    guard let size = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap({ Double($0.1) }) else {
      throw Wrk.Failure(description: "The process \(process) is gone.")
    }
    return size
  }
}
