import CLimits
import MeasuredWork
import Synchronization

/// One of the two sides of a comparison, which runs an operation on accounts by their numbers.
protocol Contender: Sendable {
  func run(_ operation: StoreOperation, on numbers: [UInt32], callers: Int) async throws -> Run
}

struct LimitFailure: Error, CustomStringConvertible {
  let description = String(cString: limits_error())
}

extension StoreOperation {
  /// The same operation of the limits in C.
  var limit: LimitsOperation {
    switch self {
    case .signIn: LIMITS_SIGN_IN
    case .link: LIMITS_LINK
    case .unlink: LIMITS_UNLINK
    case .merge, .policyMerge: LIMITS_MERGE
    case .list, .listJSON: LIMITS_LIST
    }
  }
}

/// Distributes numbered turns.
final class Turns: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

// A store of ours, with the requested number of concurrent callers.
extension StoreWork: Contender {
  func run(_ operation: StoreOperation, on numbers: [UInt32], callers: Int) async throws -> Run {
    let people = numbers.map(Person.init)
    let count = operation.isMerge ? people.count / 2 : people.count
    let turns = Turns()
    return try await prepared(for: operation) {
      try await Run.timed {
        try await withThrowingTaskGroup(of: [Double].self) { group in
          for _ in 0..<callers {
            group.addTask {
              var latencies: [Double] = []
              while true {
                let index = turns.next()
                guard index < count else { return latencies }
                let start = ContinuousClock.now
                try await self.perform(operation, on: people, at: index)
                latencies.append((ContinuousClock.now - start) / .microseconds(1))
              }
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
    }
  }
}
