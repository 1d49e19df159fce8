public import AuthCore
import Foundation

extension PostgresStore: SharedStore {
  /// Returns a stream of the changes that servers of this database announce.
  public func changes() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
    let listener = ChangeListener(options, announcing, pool.age) { continuation.yield($0) }
    continuation.onTermination = { _ in listener.stop() }
    Thread { listener.run() }.start()
    Thread { listener.watch() }.start()
    return stream
  }
}

/// A listener for announcements, on a connection and a thread of its own, until it is stopped.
///
/// A query proves the connection every half second, and the connection is replaced if no answer comes. While a proof
/// is late, the listener keeps reporting that anything may have changed, so that no cached value is older than two
/// seconds.
private final class ChangeListener: Sendable {
  private let options: ConnectionOptions
  private let announcing: Announcing
  /// The generation of connections.
  ///
  /// Changes are announced on the server that commits them, so the listener connects anew after a failover.
  private let age: ConnectionAge
  private let tell: @Sendable (StoreChange) -> Void
  private let hearing = Hearing()

  /// The milliseconds of listening before the next proof.
  private static let patience: Int32 = 500
  /// The time limit of an answer in seconds, and the one while connecting.
  private static let longestAnswer = 0.5
  private static let longestBeginning = 3.0
  private static let pauseBetweenAttempts = 0.5
  private static let pauseBetweenPolls = 0.5
  private static let pauseBetweenWarnings = 0.2

  init(
    _ options: ConnectionOptions, _ announcing: Announcing, _ age: ConnectionAge,
    tell: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.options = options
    self.announcing = announcing
    self.age = age
    self.tell = tell
  }

  func stop() { hearing.stop() }

  /// Listens, on a new connection whenever the old one fails.
  func run() {
    while hearing.goesOn {
      do {
        let generation = age.current
        let connection = try PostgresConnection(options)
        try connection.configure(options)
        switch announcing.way {
        case .notify: try listen(connection, generation)
        case .poll: try poll(connection, generation)
        }
      } catch {
        hearing.fail()
        Thread.sleep(forTimeInterval: Self.pauseBetweenAttempts)
      }
    }
  }

  /// Reports that anything may have changed, for as long as a proof is late.
  func watch() {
    while hearing.goesOn {
      Thread.sleep(forTimeInterval: Self.pauseBetweenWarnings)
      if hearing.isLate { tell(.anything) }
    }
  }

  private func listen(_ connection: PostgresConnection, _ generation: Int) throws {
    _ = try connection.ask("LISTEN \(announcing.channel)", within: Self.longestBeginning)
    hearing.prove()
    tell(.anything)
    var isProofDue = ContinuousClock.now + .milliseconds(Int(Self.patience))
    while hearing.goesOn, generation == age.current {
      if connection.isReadable(within: Self.patience) { try hear(connection) }
      guard ContinuousClock.now >= isProofDue else { continue }
      _ = try connection.ask("SELECT 1", within: Self.longestAnswer)
      // The answer brings all announcements that were made before it.
      try hear(connection)
      hearing.prove()
      isProofDue = ContinuousClock.now + .milliseconds(Int(Self.patience))
    }
  }

  private func hear(_ connection: PostgresConnection) throws {
    for payload in try connection.notifications() { tell(Announcing.change(payload: payload)) }
  }

  private func poll(_ connection: PostgresConnection, _ generation: Int) throws {
    var last: Int64?
    while hearing.goesOn, generation == age.current {
      let answer = try connection.ask("SELECT number FROM changes", within: Self.longestAnswer)
      let number = try answer.row(0).optionalInteger(0)
      hearing.prove()
      if number != last { tell(.anything) }
      last = number
      Thread.sleep(forTimeInterval: Self.pauseBetweenPolls)
    }
  }
}
