/// The changes of the current user as an asynchronous sequence.
///
/// Each iterator listens for itself.
struct ChangesSequence<Value: Sendable>: AsyncSequence, Sendable {
  private let listeners: Listeners<Value>
  private let kind: Listeners<Value>.Kind

  init(_ listeners: Listeners<Value>, _ kind: Listeners<Value>.Kind) {
    self.listeners = listeners
    self.kind = kind
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(changes: listeners.stream(of: kind).makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var changes: AsyncStream<Value?>.Iterator

    mutating func next() async -> Value?? {
      await next(isolation: #isolation)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Value?? {
      await changes.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension ChangesSequence.Iterator: Sendable {}
