import Foundation
import SQLiteStore

/// Loads the server, as Firebase's emulator on an SQLite file, and a trivial handler beside it, with wrk.
///
/// Every commit waits for the disk. Tokens are the emulator's, which are not signed.
struct ServerBench {
  let folder: String
  let accounts: Int
  let connections: Int
  let seconds: Int
  let rounds: Int

  enum Request: String, CaseIterable, Sendable {
    case lookup
    case refresh
    /// A sign-in with an identity that has an account.
    case returning
    /// A sign-in that makes an account.
    case new
    case link
    /// A link and, soon afterwards, its unlink, in turns.
    case pairs
  }

  func run(_ requests: [Request]) throws -> [Comparison] {
    let path = "\(folder)/server.db"
    try SQLiteStore(path: path).close()
    try FileLimit.fill(path: path, accounts: accounts, events: false)
    let server = try ServedProgram(WorkFolder.program, ServedProgram.emulator(on: path))
    defer { server.stop() }
    let trivial = try ServedProgram(WorkFolder.trivialServer)
    defer { trivial.stop() }
    let wrk = Wrk(folder: folder, connections: connections, seconds: seconds)
    print(Comparison.header)
    return try requests.map { request in
      var (ours, limit): ([Run], [Run]) = ([], [])
      // The first round fills the caches and is not counted.
      for round in 0...rounds {
        let lines = RequestLines(accounts: accounts, round: round, of: rounds + 1).lines(request)
        let measured = try wrk.load(
          server.address, lines, once: request.changesAccounts, of: server.process)
        let compared = try wrk.load(trivial.address, [RequestLines.trivial], of: trivial.process)
        guard round > 0 else { continue }
        ours.append(measured)
        limit.append(compared)
      }
      let comparison = Comparison(
        subject: "http", operation: request.rawValue, limitName: "a handler that echoes JSON",
        accounts: accounts, callers: connections, ours: ours, limit: limit, goal: request.goal)
      print(comparison.line)
      return comparison
    }
  }
}

extension ServerBench.Request {
  /// Tells whether a repetition of the request has another effect.
  fileprivate var changesAccounts: Bool {
    switch self {
    case .new, .link, .pairs: true
    case .lookup, .refresh, .returning: false
    }
  }

  /// The required ratio to the trivial handler.
  fileprivate var goal: Double? {
    switch self {
    case .lookup: 0.65
    case .link: 0.35
    case .new, .pairs, .refresh, .returning: nil
    }
  }
}
