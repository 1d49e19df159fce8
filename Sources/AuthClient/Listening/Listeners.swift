import Foundation
import NIOConcurrencyHelpers
import Synchronization

/// Tells whoever asked about each change of the current user, in the order of the changes.
///
/// Closures are called on the main queue, and never where they are registered. Sequences get their values
/// directly, and do not need a main queue that runs.
final class Listeners<Value: Sendable>: Sendable {
  /// Which changes a listener wants to hear of.
  enum Kind: Sendable {
    /// Another user, or none.
    case state
    /// Another raw ID token, which includes another user.
    case token
  }

  private let state = NIOLockedValueBox(State())

  init() {}

  deinit {
    for stream in state.withLockedValue({ $0.streams }) { stream.continuation.finish() }
  }

  /// Calls a closure once with what is current now, then with each change; until the handle is removed.
  ///
  /// Nothing is called any more after a removal on the main queue, whatever was under way.
  func add(_ kind: Kind, _ listener: @escaping (Value?) -> Void) -> any NSObjectProtocol {
    let handle = ListenerHandle()
    let registered = MainListener(kind: kind, handle: handle, call: MainCall(body: listener))
    state.withLockedValue { state in
      state.listeners.append(registered)
      registered.deliver(state.current.value)
    }
    return handle
  }

  /// Ends the calls of a listener of either kind; does nothing with a handle that is not of these listeners.
  func remove(_ handle: any NSObjectProtocol) {
    // The closure goes outside of the lock: whatever it holds may come back here as it ends.
    let removed = state.withLockedValue { state -> MainListener<Value>? in
      guard let index = state.listeners.firstIndex(where: { $0.handle === handle }) else {
        return nil
      }
      return state.listeners.remove(at: index)
    }
    removed?.handle.remove()
  }

  /// Says what is current now, and tells those whom the difference concerns.
  ///
  /// - Parameters:
  ///   - value: What listeners get: the current user, or nil.
  ///   - uid: Who that is.
  ///   - token: The raw ID token.
  ///   - announcement: Called on the main queue before the listeners, where the token is another.
  func changed(
    to value: Value?, uid: String?, token: String?,
    announcement: @escaping @Sendable () -> Void = {}
  ) {
    // What was current goes outside of the lock, as a removed closure does.
    _ = state.withLockedValue { state -> Current<Value> in
      let last = state.current
      state.current = Current(value: value, uid: uid, token: token)
      let hasNewState = uid != last.uid
      let hasNewToken = token != last.token
      // Enqueued under the lock, so that no two changes swap their places on the main queue.
      if hasNewToken { DispatchQueue.main.async(execute: announcement) }
      for listener in state.listeners
      where listener.kind == .state ? hasNewState : hasNewToken { listener.deliver(value) }
      for stream in state.streams where stream.kind == .state ? hasNewState : hasNewToken {
        stream.continuation.yield(value)
      }
      return last
    }
  }

  /// Gives what is current now, then each change, until the iterator, its task or these listeners end.
  func stream(of kind: Kind) -> AsyncStream<Value?> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value?.self, bufferingPolicy: .unbounded)
    let number = state.withLockedValue { state in
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
    _ = state.withLockedValue { state in
      state.streams.firstIndex { $0.number == number }.map { state.streams.remove(at: $0) }
    }
  }

  /// How many are told at present, of either sort.
  var count: Int { state.withLockedValue { $0.listeners.count + $0.streams.count } }

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

/// What a registration gives, to be removed with.
private final class ListenerHandle: NSObject, Sendable {
  private let state = Atomic(false)

  var isRemoved: Bool { state.load(ordering: .acquiring) }

  func remove() { state.store(true, ordering: .releasing) }
}
