/// The current user, now and after each change of user.
public struct AuthStateChangesSequence: AsyncSequence, Sendable {
  private let changes: ChangesSequence<User>

  init(_ listeners: Listeners<User>) {
    changes = ChangesSequence(listeners, .state)
  }

  /// Makes an iterator that listens for itself.
  public func makeAsyncIterator() -> UserChangesIterator {
    UserChangesIterator(changes: changes.makeAsyncIterator())
  }
}

/// The current user, now and after each new ID token.
public struct IDTokenChangesSequence: AsyncSequence, Sendable {
  private let changes: ChangesSequence<User>

  init(_ listeners: Listeners<User>) {
    changes = ChangesSequence(listeners, .token)
  }

  /// Makes an iterator that listens for itself.
  public func makeAsyncIterator() -> UserChangesIterator {
    UserChangesIterator(changes: changes.makeAsyncIterator())
  }
}

/// An iterator over changes, which listens until it is released or its task is cancelled.
public struct UserChangesIterator: AsyncIteratorProtocol {
  fileprivate var changes: ChangesSequence<User>.Iterator

  /// Returns the next change: a user, or an inner nil if none is signed in.
  ///
  /// Returns an outer nil at the end.
  public mutating func next() async -> User?? {
    await changes.next()
  }

  /// Returns the next change: a user, or an inner nil if none is signed in.
  ///
  /// Returns an outer nil at the end.
  public mutating func next(isolation actor: isolated (any Actor)?) async -> User?? {
    await changes.next(isolation: actor)
  }
}

@available(*, unavailable)
extension UserChangesIterator: Sendable {}
