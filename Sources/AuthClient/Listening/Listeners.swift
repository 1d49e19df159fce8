import Foundation
import Synchronization

/// The listeners for changes of the current user, called in the order of the changes.
///
/// Closures are called on the main queue, never during their registration. Sequences get their values directly and do
/// not need a running main queue.
final class Listeners<Value: Sendable>: Sendable {
  /// The changes that a listener wants.
  enum Kind: Sendable {
    /// Another user, or none.
    case state
    /// Another raw ID token, which includes another user.
    case token
  }

  private let state = Locked(State())

  init() {}

  deinit {
    for stream in state.withLock({ $0.streams }) { stream.continuation.finish() }
  }

  /// Adds a closure, called with the current value and then with each change, until the handle is removed.
  ///
  /// After a removal on the main queue the closure is not called any more.
  func add(_ kind: Kind, _ listener: @escaping (Value?) -> Void) -> any NSObjectProtocol {
    let handle = ListenerHandle()
    let registered = MainListener(kind: kind, handle: handle, call: MainCall(body: listener))
    state.withLock { state in
      state.listeners.append(registered)
      registered.deliver(state.current.value)
    }
    return handle
  }

  /// Removes a listener of either kind; ignores a handle of other listeners.
  func remove(_ handle: any NSObjectProtocol) {
    // The closure is released outside of the lock, because its captured objects may call back as they are released.
    let removed = state.withLock { state -> MainListener<Value>? in
      guard let index = state.listeners.firstIndex(where: { $0.handle === handle }) else {
        return nil
      }
      return state.listeners.remove(at: index)
    }
    removed?.handle.remove()
  }

  /// Sets the current value, and informs the listeners that the change concerns.
  ///
  /// - Parameters:
  ///   - value: The current user, or nil.
  ///   - uid: The user's ID.
  ///   - token: The raw ID token.
  ///   - announcement: Called on the main queue before the listeners if the token has changed.
  func changed(
    to value: Value?, uid: String?, token: String?,
    announcement: @escaping @Sendable () -> Void = {}
  ) {
    // The previous value is released outside of the lock, like a removed closure.
    _ = state.withLock { state -> Current<Value> in
      let last = state.current
      state.current = Current(value: value, uid: uid, token: token)
      let hasNewState = uid != last.uid
      let hasNewToken = token != last.token
      // Enqueued under the lock, so that changes keep their order on the main queue.
      if hasNewToken { DispatchQueue.main.async(execute: announcement) }
      for listener in state.listeners
      where listener.kind == .state ? hasNewState : hasNewToken { listener.deliver(value) }
      for stream in state.streams where stream.kind == .state ? hasNewState : hasNewToken {
        stream.continuation.yield(value)
      }
      return last
    }
  }

  /// Returns a stream of the current value and each change.
  ///
  /// It ends with its iterator, its task or these listeners.
  func stream(of kind: Kind) -> AsyncStream<Value?> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value?.self, bufferingPolicy: .unbounded)
    let number = state.withLock { state in
      state.lastNumber += 1
      state.streams.append(
        StreamListener(kind: kind, number: state.lastNumber, continuation: continuation))
      continuation.yield(state.current.value)
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in self?.removeStream(number) }
    return stream
  }

  private func removeStream(_ number: UInt64) {
    _ = state.withLock { state in
      state.streams.firstIndex { $0.number == number }.map { state.streams.remove(at: $0) }
    }
  }

  /// The number of closures and streams.
  var count: Int { state.withLock { $0.listeners.count + $0.streams.count } }

  private struct State: Sendable {
    var current = Current<Value>()
    var listeners: [MainListener<Value>] = []
    var streams: [StreamListener<Value>] = []
    var lastNumber: UInt64 = 0
  }
}

private struct Current<Value: Sendable>: Sendable {
  var value: Value?
  var uid: String?
  var token: String?
}

private struct StreamListener<Value: Sendable>: Sendable {
  let kind: Listeners<Value>.Kind
  let number: UInt64
  let continuation: AsyncStream<Value?>.Continuation
}

private struct MainListener<Value: Sendable>: Sendable {
  let kind: Listeners<Value>.Kind
  let handle: ListenerHandle
  let call: MainCall<Value>

  func deliver(_ value: Value?) {
    DispatchQueue.main.async { [handle, call] in
      if !handle.isRemoved { call.body(value) }
    }
  }
}

/// A closure of an app, which need not be Sendable.
///
/// Unchecked because it is called on the main queue alone, as its registration promises.
private struct MainCall<Value: Sendable>: @unchecked Sendable {
  let body: (Value?) -> Void
}

/// The handle of a registration.
private final class ListenerHandle: NSObject, Sendable {
  private let state = Atomic(false)

  var isRemoved: Bool { state.load(ordering: .acquiring) }

  func remove() { state.store(true, ordering: .releasing) }
}
