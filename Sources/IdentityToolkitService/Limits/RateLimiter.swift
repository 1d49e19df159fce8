import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Counts requests in windows of time, and refuses those beyond a limit.
///
/// Two neighbouring windows are weighed against each other, so that a client cannot get twice the limit at their
/// border. Counts that are over are forgotten, and their number is bounded. Requests that other servers admitted are
/// added as far as they are known.
final class RateLimiter: Sendable {
  struct Key: Hashable {
    let name: String
    let subject: String
    let seconds: Int64
  }

  struct Count {
    var window: Int64
    var now = 0
    var before = 0
    /// Admitted requests that may still count.
    var open = 0
    /// Requests that other servers admitted in this window, and in the one before.
    var othersNow = 0
    var othersBefore = 0
    /// The part of this server's count that was reported to the other servers.
    var sent = 0

    /// Advances to a window.
    mutating func advance(to window: Int64) {
      guard self.window != window else { return }
      let isNext = self.window == window - 1
      self = Count(
        window: window, before: isNext ? now : 0, open: open,
        othersBefore: isNext ? othersNow : 0)
    }

    var isEmpty: Bool { now + before + open + othersNow + othersBefore == 0 }
  }

  struct State {
    var counts: [Key: Count] = [:]
    /// True while the counts are reported to other servers.
    var isShared = false
    /// The counts that are to be reported to other servers.
    var changed: Set<Key> = []
    /// True if a report cannot wait for the next pause.
    var isUrgent = false
  }

  private static let maximumKeys = 200_000
  let state = NIOLockedValueBox(State())

  /// Counts one more request of a kind for a subject.
  ///
  /// Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if it exceeds the limit in the window of seconds.
  func take(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp
  ) throws(WireError) {
    try admit(Key(name: name, subject: subject, seconds: seconds), limit, at: now) { key, state in
      state.counts[key]?.now += 1
      Self.note(key, limit: limit, &state)
    }
  }

  /// Admits a request that may turn out not to count.
  ///
  /// The caller ends it with ``close(_:of:limit:seconds:at:counts:)``.
  ///
  /// Until then it counts. Throws like ``take(_:of:limit:seconds:at:)``.
  func open(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp
  ) throws(WireError) {
    try admit(Key(name: name, subject: subject, seconds: seconds), limit, at: now) { key, state in
      state.counts[key]?.open += 1
    }
  }

  /// Ends a request that ``open(_:of:limit:seconds:at:)`` admitted, and counts it if `counts` is set.
  func close(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp, counts: Bool
  ) {
    let window = now.milliseconds / (seconds * 1000)
    let key = Key(name: name, subject: subject, seconds: seconds)
    state.withLockedValue { state in
      var count = state.counts[key] ?? Count(window: window)
      count.advance(to: max(window, count.window))
      count.open = max(0, count.open - 1)
      if counts { count.now += 1 }
      // Most subjects do nothing wrong, and an empty count is not kept.
      state.counts[key] = count.isEmpty ? nil : count
      if counts { Self.note(key, limit: limit, &state) }
    }
  }

  private func admit(
    _ key: Key, _ limit: Int, at now: Timestamp, _ count: (Key, inout State) -> Void
  ) throws(WireError) {
    guard limit > 0 else { return }
    let length = key.seconds * 1000
    let window = now.milliseconds / length
    let passed = Double(now.milliseconds % length) / Double(length)
    let isAdmitted = state.withLockedValue { state -> Bool in
      if state.counts.count >= Self.maximumKeys { Self.forget(&state) }
      var known = state.counts[key] ?? Count(window: window)
      known.advance(to: window)
      let weight =
        Double(known.before + known.othersBefore) * (1 - passed)
        + Double(known.now + known.othersNow + known.open)
      let fits = weight + 1 <= Double(limit)
      state.counts[key] = known
      if fits { count(key, &state) }
      return fits
    }
    guard isAdmitted else {
      throw WireError(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access has been limited because of many requests. Try again later.")
    }
  }

  var isShared: Bool { state.withLockedValue(\.isShared) }

  /// True if counts are to be reported to other servers.
  var hasNews: Bool { state.withLockedValue { !$0.changed.isEmpty } }

  /// Starts or stops the reports to other servers.
  func share(_ isShared: Bool) {
    state.withLockedValue { state in
      state.isShared = isShared
      if !isShared { state.changed = [] }
    }
  }

  /// Marks a count for the next report once it has reached a tenth of its limit.
  private static func note(_ key: Key, limit: Int, _ state: inout State) {
    let share = max(1, limit / 10)
    guard state.isShared, let count = state.counts[key], count.now >= share else { return }
    state.changed.insert(key)
    if count.now - count.sent >= share { state.isUrgent = true }
  }

  /// Makes room by forgetting the smallest counts.
  ///
  /// Subjects near a limit stay counted.
  private static func forget(_ state: inout State) {
    let loads = state.counts.values.map { $0.now + $0.before }.sorted()
    let median = loads[loads.count / 2]
    state.counts = state.counts.filter { $0.value.now + $0.value.before > median }
    state.changed = state.changed.filter { state.counts[$0] != nil }
  }
}
