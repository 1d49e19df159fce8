public import AuthCore
import Foundation
import Synchronization

extension PostgresStore: SharedStore {
  public func changes() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
    let listener = ChangeListener(options, announcing, pool.age) { continuation.yield($0) }
    continuation.onTermination = { _ in listener.stop() }
    Thread { listener.run() }.start()
    return stream
  }
}

/// Hears what servers announce, on a connection and a thread of its own, until it is stopped.
///
/// Whenever it has connected it tells that anything may have changed, because nobody listened before.
private final class ChangeListener: Sendable {
  private let options: ConnectionOptions
  private let announcing: Announcing
  /// Changes are announced on the server that takes them: where that is another one now, this connection is left too.
  private let age: ConnectionAge
  private let tell: @Sendable (StoreChange) -> Void
  private let isStopped = Atomic(false)

  private static let patience: Int32 = 300
  private static let pauseBetweenAttempts = 0.5
  private static let pauseBetweenPolls = 0.8

  init(
    _ options: ConnectionOptions, _ announcing: Announcing, _ age: ConnectionAge,
    tell: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.options = options
    self.announcing = announcing
    self.age = age
    self.tell = tell
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  private var goesOn: Bool { !isStopped.load(ordering: .relaxed) }

  func run() {
    while goesOn {
      do {
        let generation = age.current
        let connection = try PostgresConnection(options)
        try connection.configure(options)
        switch announcing.way {
        case .notify: try listen(connection, generation)
        case .poll: try poll(connection, generation)
        }
      } catch {
        Thread.sleep(forTimeInterval: Self.pauseBetweenAttempts)
      }
    }
  }

  private func listen(_ connection: PostgresConnection, _ generation: Int) throws {
    try connection.execute("LISTEN \(announcing.channel)")
    tell(.anything)
    while goesOn, generation == age.current {
      guard connection.isReadable(within: Self.patience) else { continue }
      for payload in try connection.notifications() { tell(Announcing.change(payload: payload)) }
    }
  }

  private func poll(_ connection: PostgresConnection, _ generation: Int) throws {
    var last: Int64?
    while goesOn, generation == age.current {
      let number = try connection.execute("SELECT number FROM changes").row(0).optionalInteger(0)
      if number != last { tell(.anything) }
      last = number
      Thread.sleep(forTimeInterval: Self.pauseBetweenPolls)
    }
  }
}
