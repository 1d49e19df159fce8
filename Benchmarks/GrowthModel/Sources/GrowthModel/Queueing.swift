import Foundation

/// Formulas of queueing theory, used if they are exact or near enough.
public enum Queueing {
  /// Returns the share of arrivals that have to wait, for Poisson arrivals and exponential service (Erlang's C
  /// formula).
  ///
  /// It is 1 if there is more work than the servers can do.
  ///
  /// - Parameters:
  ///   - servers: the number of servers.
  ///   - load: the offered work, as the number of servers that it keeps busy.
  /// - Returns: the share, from 0 to 1.
  public static func waitingShare(servers: Int, load: Double) -> Double {
    guard load > 0 else { return 0 }
    guard load < Double(servers) else { return 1 }
    // Erlang's B by its recurrence, which stays small for any number of servers.
    var blocked = 1.0
    for server in 1...servers { blocked = load * blocked / (Double(server) + load * blocked) }
    let use = load / Double(servers)
    return blocked / (1 - use + use * blocked)
  }

  /// Returns the wait that only `share` of the arrivals exceed, in the unit of `service`, the mean service time.
  ///
  /// With M/M/c, P(wait > t) = C · exp(−(c − a) t / s) with C from ``waitingShare(servers:load:)``. Infinite if there
  /// is more work than the servers can do.
  public static func wait(
    exceededBy share: Double, servers: Int, load: Double, service: Double
  ) -> Double {
    let waiting = waitingShare(servers: servers, load: load)
    guard load < Double(servers) else { return .infinity }
    guard waiting > share else { return 0 }
    return service / (Double(servers) - load) * log(waiting / share)
  }

  /// Returns throughput and time of callers who visit stations with one server each and a delay, without a pause.
  ///
  /// The method is exact mean value analysis of a closed network with exponential service.
  ///
  /// - Parameters:
  ///   - callers: the number of callers.
  ///   - demands: the time that each station spends on a round.
  ///   - delay: the time of a round without contention.
  /// - Returns: the rounds in a unit of time, and the mean time of one.
  public static func closed(
    callers: Int, demands: [Double], delay: Double = 0
  ) -> (rate: Double, time: Double) {
    var lengths = demands.map { _ in 0.0 }
    var result = (rate: 0.0, time: delay + demands.reduce(0, +))
    for count in 1...max(1, callers) {
      let times = zip(demands, lengths).map { $0 * (1 + $1) }
      let time = delay + times.reduce(0, +)
      let rate = time > 0 ? Double(count) / time : .infinity
      lengths = times.map { rate * $0 }
      result = (rate, time)
    }
    return result
  }
}
