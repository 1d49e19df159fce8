package import AuthCore
import AuthTesting

/// An order to some writers for one round, which determines their operations.
package struct RoundOrder: Codable, Sendable {
  package let seed: UInt64
  package let round: Int
  package let writers: [Int]
  /// The number of operations of each writer.
  package let count: Int
  private let accounts: [String]
  private let merges: [String]
  private let transfers: [String]

  package init(seed: UInt64, round: Int, writers: [Int], count: Int, _ population: Population) {
    self.seed = seed
    self.round = round
    self.writers = writers
    self.count = count
    accounts = population.accounts.map(\.rawValue)
    merges = population.merges
    transfers = population.transfers
  }

  /// The operations of one of the writers, always the same.
  package func operations(of writer: Int) -> OperationSequence {
    var population = Population()
    population.accounts = accounts.map { AccountID($0) }
    population.merges = merges
    population.transfers = transfers
    return OperationSequence(
      population: population, prefix: "\(round)-\(writer)",
      generator: SeededGenerator(seed: seed &+ UInt64(round * 100 + writer)))
  }
}

/// Picks one operation after another.
package struct OperationSequence {
  let population: Population
  let prefix: String
  var generator: SeededGenerator
  var number = 0

  package mutating func next() throws -> Operation {
    defer { number += 1 }
    return try Operation.random(population, serial: "\(prefix)-\(number)", using: &generator)
  }
}

/// The time and the result of a writer's operation.
package struct OperationRecord: Codable, Sendable {
  package let writer: Int
  package let number: Int
  /// Nanoseconds of the machine's clock, before and after.
  package let start: UInt64
  package let end: UInt64
  package let event: String?
  /// The error if there is no event.
  package let error: String?
  package let isUnavailable: Bool
  /// The session that began, if one did.
  package let session: Session?

  /// A session, as its tokens would name it.
  package struct Session: Codable, Sendable {
    package let account: AccountID
    package let provider: ProviderID
    package let identity: IdentityKey?
    package let signedInAt: Timestamp

    init(_ grant: SessionGrant) {
      account = grant.account
      provider = grant.provider
      identity = grant.identity
      signedInAt = grant.signedInAt
    }
  }
}
