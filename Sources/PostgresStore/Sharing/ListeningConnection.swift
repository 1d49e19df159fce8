import CPostgres
import Foundation

/// Queries of the listening connection, with a time limit for the answer.
///
/// The server's own limits do not help if the network drops packets.
extension PostgresConnection {
  /// Runs SQL without parameters; throws if there is no answer within `seconds`.
  func ask(_ sql: String, within seconds: Double) throws(PostgresFailure) -> PostgresAnswer {
    let deadline = ContinuousClock.now + .seconds(seconds)
    guard PQsendQuery(connection, sql) == 1 else { throw silent(seconds) }
    var last: PostgresAnswer?
    while true {
      while PQisBusy(connection) == 1 {
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard left > 0, isReadable(within: Int32(max(1, left))) else { throw silent(seconds) }
        guard PQconsumeInput(connection) == 1 else { throw silent(seconds) }
      }
      guard let answer = PQgetResult(connection).map(PostgresAnswer.init) else { break }
      if let failure = answer.failure { throw failure }
      last = answer
    }
    guard let last else { throw silent(seconds) }
    return last
  }

  private func silent(_ seconds: Double) -> PostgresFailure {
    PostgresFailure(
      state: nil, message: "no answer within \(seconds) seconds on the listening connection",
      isDisconnection: true)
  }
}
