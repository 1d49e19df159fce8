import AuthCore
import Foundation
import Synchronization

/// Many callers who sign up at once, each once and on its own connection.
final class Burst: Sendable {
  private let answers = Mutex<[String: Int]>([:])
  private let group = DispatchGroup()

  /// Starts the callers, which run on their own.
  func send(to addresses: [String], callers: Int) {
    for address in addresses {
      for _ in 0..<callers {
        group.enter()
        Thread.detachNewThread { [self] in
          let reply = try? Connection(to: address).post(
            "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", ["returnSecureToken": true])
          let answer = reply.map { "\($0.status)" } ?? "no answer"
          answers.withLock { $0[answer, default: 0] += 1 }
          group.leave()
        }
      }
    }
  }

  /// Waits for the last caller; returns the number of answers for each status.
  func end() -> [String: Int] {
    group.wait()
    return answers.withLock(\.self)
  }
}
