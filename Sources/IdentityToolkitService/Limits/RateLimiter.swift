import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Counts what was asked in windows of time, and refuses what is too much.
///
/// Two neighbouring windows are weighed against each other, so that nobody gets twice as much at their
/// border. It forgets what is over, and keeps a bounded number of counts. What other servers let through is
/// weighed too, as far as it is known.
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
    /// What was admitted and may come to count.
    var open = 0
    /// What other servers let through in this window, and in the one before.
    var othersNow = 0
    var othersBefore = 0
    /// How much of what this server let through the others can know.
    var sent = 0

    /// Goes on to a window.
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
    /// Whether others are told of the counts.
    var isShared = false
    /// What others have to be told.
    var changed: Set<Key> = []
    /// Whether they have to be told at once.
    var isUrgent = false
  }

  private static let maximumKeys = 200_000
  let state = NIOLockedValueBox(State())

  /// Counts one more of a kind for a subject.
  ///
  /// Throws `TOO_MANY_ATTEMPTS_TRY_LATER` where it were more than the limit in the window of seconds.
  func take(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp
  ) throws(WireError) {
    try admit(Key(name: name, subject: subject, seconds: seconds), limit, at: now) { key, state in
      state.counts[key]?.now += 1
      Self.note(key, limit: limit, &state)
    }
  }

  /// Admits one of which it is not known yet whether it counts; whoever is told ends it with
  /// ``close(_:of:limit:seconds:at:counts:)``.
  ///
  /// Until then it is weighed like one that counts. Throws like ``take(_:of:limit:seconds:at:)``.
  func open(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp
  ) throws(WireError) {
    try admit(Key(name: name, subject: subject, seconds: seconds), limit, at: now) { key, state in
      state.counts[key]?.open += 1
    }
  }

  /// Ends what ``open(_:of:limit:seconds:at:)`` admitted, and counts it or does not.
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
      // Most who are counted here do nothing wrong, and nothing is left of them.
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

  /// Whether there is something that others have to be told.
  var hasNews: Bool { state.withLockedValue { !$0.changed.isEmpty } }

  /// Says whether others are told of the counts from now on.
  func share(_ isShared: Bool) {
    state.withLockedValue { state in
      state.isShared = isShared
      if !isShared { state.changed = [] }
    }
  }

  /// Remembers what others have to be told, which a quiet client's count is not.
  private static func note(_ key: Key, limit: Int, _ state: inout State) {
    let share = max(1, limit / 10)
    guard state.isShared, let count = state.counts[key], count.now >= share else { return }
    state.changed.insert(key)
    if count.now - count.sent >= share { state.isUrgent = true }
  }

  /// Makes room by forgetting those that asked least; whoever is near a limit stays counted.
  private static func forget(_ state: inout State) {
    let loads = state.counts.values.map { $0.now + $0.before }.sorted()
    let median = loads[loads.count / 2]
    state.counts = state.counts.filter { $0.value.now + $0.value.before > median }
    state.changed = state.changed.filter { state.counts[$0] != nil }
  }
}
