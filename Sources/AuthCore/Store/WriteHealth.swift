import Synchronization

/// The health of a store's writes: the outcome of the last write, or of a probe.
package final class WriteHealth: Sendable {
  private struct State {
    var outage: StoreOutage?
    var checkedAt: ContinuousClock.Instant?
    /// The number of the running probe.
    var probe: Int?
    var probes = 0
    /// True if the running probe has exceeded its time limit.
    var isLate = false
    var waiting: [CheckedContinuation<StoreOutage?, Never>] = []

    /// The recent result; nil if a probe is needed.
    var known: StoreOutage?? {
      if isLate { return .some(outage) }
      let lifetime = outage == nil ? WriteHealth.lifetime : WriteHealth.lifetimeOfOutage
      guard let checkedAt, ContinuousClock.now - checkedAt < lifetime else { return nil }
      return .some(outage)
    }
  }

  private let state = Mutex(State())

  /// The time for which a result is valid.
  private static let lifetime = Duration.seconds(1)
  /// The time for which an outage is valid, short so that its end is noticed soon.
  private static let lifetimeOfOutage = Duration.milliseconds(300)
  /// The time limit of a probe.
  private static let patience = Duration.seconds(2)

  package init() {}

  /// Notes a successful commit; only a probe ends an outage.
  package func succeeded() {
    state.withLock { if $0.outage == nil { $0.checkedAt = .now } }
  }

  /// Notes the outage behind a failed change.
  package func failed(_ outage: StoreOutage) {
    state.withLock { state in
      state.outage = outage
      state.checkedAt = .now
    }
  }

  /// The last outage, unless a probe has ended it.
  package var last: StoreOutage? { state.withLock(\.outage) }

  /// Returns the present outage; nil if changes can be written.
  ///
  /// It probes if there is no recent result.
  package func outage(
    probe: @escaping @Sendable () async -> StoreOutage?
  ) async -> StoreOutage? {
    await withCheckedContinuation { continuation in
      let (known, number) = state.withLock { state -> (StoreOutage??, Int?) in
        if let known = state.known { return (known, nil) }
        state.waiting.append(continuation)
        guard state.probe == nil else { return (nil, nil) }
        state.probes += 1
        state.probe = state.probes
        return (nil, state.probes)
      }
      if let known { return continuation.resume(returning: known) }
      guard let number else { return }
      // The probe serves all callers that wait, so it is not part of the first caller's task; it may also never return.
      Task { self.finish(number, await probe()) }
      Task {
        try? await Task.sleep(for: Self.patience)
        self.giveUp(number)
      }
    }
  }

  private func finish(_ number: Int, _ outage: StoreOutage?) {
    answer(after: { state in
      guard state.probe == number else { return false }
      state.probe = nil
      state.isLate = false
      state.outage = outage
      return true
    })
  }

  private func giveUp(_ number: Int) {
    answer(after: { state in
      guard state.probe == number else { return false }
      state.isLate = true
      state.outage = StoreOutage(
        .unreachable,
        AuthError(
          .storeUnavailable,
          "The store did not answer within \(Self.patience.components.seconds) seconds.",
          remedy: "Check the store with: authgraph doctor"))
      return true
    })
  }

  /// Resumes all waiting callers, if a change of the state returns true.
  private func answer(after change: (inout State) -> Bool) {
    let (waiting, outage) = state.withLock { state in
      guard change(&state) else {
        return ([CheckedContinuation<StoreOutage?, Never>](), nil as StoreOutage?)
      }
      state.checkedAt = .now
      defer { state.waiting = [] }
      return (state.waiting, state.outage)
    }
    for continuation in waiting { continuation.resume(returning: outage) }
  }
}
