import AuthCore
import NIOConcurrencyHelpers

/// Caches key sets, and reads each again after a minute in case another server changed it.
///
/// If the store announces changes, a changed set is invalidated at once.
final class ProjectKeyCache: Sendable {
  /// The seconds after which a set is read again.
  static let refreshInterval: Int64 = 60
  /// The minimum seconds between two reads that are caused by unknown key IDs.
  static let missInterval: Int64 = 10

  private struct Entry {
    var set: ProjectKeys
    var readAt: Timestamp
  }

  private struct State {
    var entries: [KeySlot: Entry] = [:]
    var missedAt: [KeySlot: Timestamp] = [:]
    var reads: [Read: Task<ProjectKeys, any Error>] = [:]
    /// The number of invalidations; a read that began before one does not store its result.
    var generation = 0
  }

  private struct Read: Hashable {
    let slot: KeySlot
    let algorithm: SigningAlgorithm?
    let generation: Int
  }

  private let storage: SigningKeyStorage
  private let clock: @Sendable () -> Timestamp
  private let state = NIOLockedValueBox(State())

  init(storage: SigningKeyStorage, clock: @escaping @Sendable () -> Timestamp) {
    self.storage = storage
    self.clock = clock
  }

  /// Returns the set; if an algorithm is given, the set has a signing key for it.
  func set(_ slot: KeySlot, toSignWith algorithm: SigningAlgorithm? = nil) async throws
    -> ProjectKeys
  {
    let now = clock()
    let (known, task) = state.withLockedValue {
      state -> (ProjectKeys?, Task<ProjectKeys, any Error>?) in
      let read = Read(slot: slot, algorithm: algorithm, generation: state.generation)
      let entry = state.entries[slot].flatMap { entry in
        algorithm.map { entry.set.signing($0, at: now) != nil } ?? true ? entry : nil
      }
      if let entry {
        let age = now.milliseconds - entry.readAt.milliseconds
        let isFresh = (0..<Self.refreshInterval * 1000).contains(age)
        // One caller reads again; the others use the cached set.
        if isFresh || state.reads[read] != nil { return (entry.set, nil) }
      }
      return (nil, begin(read, at: now, &state))
    }
    if let known { return known }
    guard let task else { throw CancellationError() }
    return try await task.value
  }

  /// Reads the set again for a key ID that it lacks; returns nil if that happened a moment ago.
  func setAgain(_ slot: KeySlot) async throws -> ProjectKeys? {
    let now = clock()
    let task = state.withLockedValue { state -> Task<ProjectKeys, any Error>? in
      // A project without keys is not cached: clients may name any number of projects.
      guard state.entries[slot] != nil else { return nil }
      if let last = state.missedAt[slot],
        (0..<Self.missInterval * 1000).contains(now.milliseconds - last.milliseconds)
      {
        return nil
      }
      state.missedAt[slot] = now
      let read = Read(slot: slot, algorithm: nil, generation: state.generation)
      return begin(read, at: now, &state)
    }
    return try await task?.value
  }

  /// Invalidates one set, or all of them.
  func forget(_ slot: KeySlot? = nil) {
    state.withLockedValue { state in
      state.generation += 1
      guard let slot else {
        state.entries = [:]
        state.missedAt = [:]
        return
      }
      state.entries[slot] = nil
      state.missedAt[slot] = nil
    }
  }

  /// Begins a read that all waiting callers share, so that the first caller's cancellation does not affect the others.
  private func begin(
    _ read: Read, at now: Timestamp, _ state: inout State
  ) -> Task<ProjectKeys, any Error> {
    if let task = state.reads[read] { return task }
    let task = Task {
      do {
        let set = try ProjectKeys(try await storage.prepare(read.slot, read.algorithm, at: now))
        finish(read, set, at: now)
        return set
      } catch {
        finish(read, nil, at: now)
        throw error
      }
    }
    state.reads[read] = task
    return task
  }

  private func finish(_ read: Read, _ set: ProjectKeys?, at now: Timestamp) {
    state.withLockedValue { state in
      state.reads[read] = nil
      guard let set, !set.schedule.keys.isEmpty, read.generation == state.generation else { return }
      state.entries[read.slot] = Entry(set: set, readAt: now)
    }
  }
}
