import Synchronization

/// Counts from 1, for tasks and threads at once.
public final class Counter: Sendable {
  private let number = Atomic(0)

  public init() {}

  /// The newest number, or 0.
  public var count: Int { number.load(ordering: .relaxed) }

  /// Returns the next number.
  @discardableResult
  public func next() -> Int { number.add(1, ordering: .relaxed).newValue }
}
