/// Whoever is signed in, now and each time somebody else is.
public struct AuthStateChangesSequence: AsyncSequence, Sendable {
  private let changes: ChangesSequence<User>

  init(_ listeners: Listeners<User>) {
    changes = ChangesSequence(listeners, .state)
  }

  public func makeAsyncIterator() -> UserChangesIterator {
    UserChangesIterator(changes: changes.makeAsyncIterator())
  }
}

/// Whoever is signed in, now and for each new ID token.
public struct IDTokenChangesSequence: AsyncSequence, Sendable {
  private let changes: ChangesSequence<User>

  init(_ listeners: Listeners<User>) {
    changes = ChangesSequence(listeners, .token)
  }

  public func makeAsyncIterator() -> UserChangesIterator {
    UserChangesIterator(changes: changes.makeAsyncIterator())
  }
}

/// Gives one change after the other, and listens until it goes away or its task is cancelled.
public struct UserChangesIterator: AsyncIteratorProtocol {
  fileprivate var changes: ChangesSequence<User>.Iterator

  public mutating func next() async -> User?? {
    await changes.next()
  }

  public mutating func next(isolation actor: isolated (any Actor)?) async -> User?? {
    await changes.next(isolation: actor)
  }
}

@available(*, unavailable)
extension UserChangesIterator: Sendable {}
