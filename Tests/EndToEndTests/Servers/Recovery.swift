import AuthCore
import AuthTesting
import Foundation
import Synchronization
import TestSupport

/// Ends faults, all at once, and waits until every server makes accounts again.
///
/// For a server that kept running, the limit counts from the end of the faults. For a killed one it counts from the
/// moment at which it listens, because its start depends on the machine.
struct Recovery: CustomStringConvertible {
  private struct Part: Sendable {
    let name: String
    let took: Duration
    let lastProblem: String
    /// The database's activity, if the recovery took too long.
    let activity: String
  }

  private let faults: [Fault]
  private let parts: [Part]

  init(of cluster: Cluster, from faults: [Fault]) throws {
    self.faults = faults
    let results = Mutex<[Swift.Result<Part, any Error>]>([])
    let group = DispatchGroup()
    func beside(_ body: @escaping @Sendable () throws -> Part) {
      group.enter()
      Thread.detachNewThread {
        let result = Swift.Result { try body() }
        results.withLock { $0.append(result) }
        group.leave()
      }
    }
    let began = ContinuousClock.now
    // The servers' dependencies come back first, so that the servers start only once.
    for fault in faults where fault.killedServer == nil { try fault.end(cluster) }
    for index in 0..<Cluster.size {
      let wasKilled = faults.contains { $0.killedServer == index }
      beside {
        if wasKilled { try cluster.start(index) }
        return try Self.wait(for: index, of: cluster, since: wasKilled ? .now : began)
      }
    }
    group.wait()
    parts = try results.withLock { try $0.map { try $0.get() } }
  }

  /// The recovery time of the slowest server.
  var longest: Duration { parts.map(\.took).max() ?? .zero }

  var description: String {
    let told = parts.sorted { $0.name < $1.name }
      .map { "\($0.name) after \($0.took), before that: \($0.lastProblem)\($0.activity)" }
    return "\(faults): \(told.joined(separator: "; "))"
  }

  private static func wait(
    for index: Int, of cluster: Cluster, since start: ContinuousClock.Instant
  ) throws -> Part {
    let deadline = ContinuousClock.now + .seconds(60)
    var problem = "nothing"
    var activity = ""
    while ContinuousClock.now < deadline {
      do {
        let server = try cluster.server(index)
        let reply = try Connection(to: server.address, patience: 2).post(
          "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", ["returnSecureToken": true])
        if reply.status == 200 {
          return Part(
            name: "server \(index)", took: .now - start, lastProblem: problem, activity: activity)
        }
        problem = "\(reply.status) at \(ContinuousClock.now - start)"
      } catch {
        problem = "\(error) at \(ContinuousClock.now - start)"
      }
      if activity.isEmpty, .now - start > .seconds(4) {
        activity = "\n" + ((try? cluster.database.run(Self.activityQuery)) ?? "no answer")
      }
      usleep(20_000)
    }
    throw Failed(description: "server \(index) does not return: \(problem)")
  }

  private static let activityQuery = """
    select client_addr, client_port, state, wait_event, now() - xact_start, now() - state_change,
      (select string_agg(locktype || ' ' || mode || ' ' || granted, ', ') from pg_locks
       where pg_locks.pid = pg_stat_activity.pid and locktype = 'advisory'),
      left(replace(query, chr(10), ' '), 100)
    from pg_stat_activity where application_name = 'authgraph'
      and (state <> 'idle' or pid in (select pid from pg_locks where locktype = 'advisory'))
    """
}
