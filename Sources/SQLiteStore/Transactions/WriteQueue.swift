import AuthCore
import CSQLite3
import Dispatch
import NIOConcurrencyHelpers
import Synchronization

/// A queue of writes with group commit, each write in its own savepoint.
///
/// A durable commit waits for the disk. Writes that arrive meanwhile share the next commit. A single write is a
/// transaction of its own, on the calling thread. Writes are served in order of arrival, up to ``largestBatch`` in a
/// transaction, so that none waits much longer than those before it take. If a shared commit fails, as on a full
/// disk, each closure runs again alone, so that no write fails because of another. Nothing is committed if the path
/// names another file, and nothing is confirmed that is not in the file at the path.
final class WriteQueue: Sendable {
  private struct State {
    var waiting: [WriteJob] = []
    var isDraining = false
    var isClosed = false
  }

  private static let largestBatch = 128

  private let writer: SharedConnection
  private let file: StoreFile
  /// The thread for queued writes, so that the caller of the first write does not wait for them.
  private let thread = DispatchQueue(label: "SQLiteStore.writes")
  private let state = NIOLockedValueBox(State())

  init(_ writer: SharedConnection, _ file: StoreFile) {
    self.writer = writer
    self.file = file
  }

  /// Throws if the queue was closed.
  func checkOpen() throws {
    if state.withLockedValue(\.isClosed) { throw StoreFailure.closed }
  }

  /// Runs a closure and returns once its writes are committed, or rolled back if it asks for that.
  ///
  /// A task that is cancelled before its commit leaves nothing behind.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Ending<Result>
  ) async throws -> Ending<Result> {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = WriteJob(
          isCancelled: isCancelled,
          run: { connection in
            let ending = try body(connection)
            let confirm: WriteJob.Confirmation = { continuation.resume(returning: ending) }
            return if case .commit = ending { .commit(confirm) } else { .takeBack(confirm) }
          },
          refuse: { continuation.resume(throwing: $0) })
        enqueue(job)
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  /// Refuses every write from now on; throws while any is under way.
  func close() throws {
    try state.withLockedValue { state in
      guard !state.isDraining else {
        throw StoreFailure(code: SQLITE_BUSY, message: "a write is under way")
      }
      state.isClosed = true
    }
    writer.close()
  }

  private func enqueue(_ job: WriteJob) {
    let wasIdle = state.withLockedValue { state -> Bool? in
      guard !state.isClosed else { return nil }
      state.waiting.append(job)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    guard let wasIdle else { return job.refuse(StoreFailure.closed) }
    guard wasIdle else { return }
    // No other write is under way, so this one runs on the calling thread, which saves two thread switches.
    let isDone = use { connection in
      connection.setPatience(.zero)
      defer { connection.setPatience(file.busyTimeout) }
      return commit(on: connection, patiently: false)
    }
    if !isDone || hasMore() { thread.async { self.drain() } }
  }

  private func drain() {
    repeat { _ = use { commit(on: $0, patiently: true) } } while hasMore()
  }

  /// Uses the writing connection, which stays open while writes are waiting.
  private func use(_ body: (SQLiteConnection) -> Bool) -> Bool {
    do {
      return try writer.use(body)
    } catch {
      let jobs = state.withLockedValue { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for job in jobs { job.refuse(error) }
      return true
    }
  }

  /// Returns true if writes are waiting; otherwise the next write starts anew.
  private func hasMore() -> Bool {
    state.withLockedValue { state in
      state.isDraining = !state.waiting.isEmpty
      return state.isDraining
    }
  }

  /// Commits the next batch; returns false if another process is writing and `patiently` is not set.
  private func commit(on connection: SQLiteConnection, patiently: Bool) -> Bool {
    let batch = state.withLockedValue { Array($0.waiting.prefix(Self.largestBatch)) }
    do {
      try connection.run("BEGIN IMMEDIATE")
    } catch let failure as StoreFailure where failure.basicCode == SQLITE_BUSY && !patiently {
      return false
    } catch {
      remove(batch.count)
      for job in batch { job.refuse(error) }
      return true
    }
    remove(batch.count)
    for job in connection.commitTogether(batch, at: file.place) {
      connection.commitAlone(job, at: file.place)
    }
    return true
  }

  private func remove(_ count: Int) {
    state.withLockedValue { $0.waiting.removeFirst(count) }
  }
}

/// A closure that waits for its turn.
struct WriteJob: Sendable {
  typealias Confirmation = @Sendable () -> Void

  let isCancelled: CancellationFlag
  /// Runs the closure and returns the function that informs its caller.
  let run: @Sendable (SQLiteConnection) throws -> Ending<Confirmation>
  let refuse: @Sendable (any Error) -> Void

  func perform(on connection: SQLiteConnection) throws -> Ending<Confirmation> {
    try isCancelled.check()
    let ending = try run(connection)
    try isCancelled.check()
    return ending
  }
}

/// A flag that informs one thread of the cancellation of a task on another.
final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .relaxed) }

  func check() throws {
    if value.load(ordering: .relaxed) { throw CancellationError() }
  }
}

extension SQLiteConnection {
  /// Commits jobs in the current transaction; returns those that have to run again alone.
  fileprivate func commitTogether(_ jobs: [WriteJob], at place: StorePlace) -> [WriteJob] {
    let isAlone = jobs.count == 1
    var done: [(job: WriteJob, confirm: WriteJob.Confirmation)] = []
    for (index, job) in jobs.enumerated() {
      do {
        switch try perform(job, alone: isAlone) {
        case .commit(let confirm): done.append((job, confirm))
        case .takeBack(let confirm): confirm()
        }
      } catch {
        // A full disk makes SQLite roll back the whole transaction, not only this job's part.
        guard isInTransaction || isAlone else { return done.map(\.job) + jobs[index...] }
        job.refuse(error)
      }
    }
    do throws(AuthError) { if !done.isEmpty { try place.check() } } catch {
      try? run("ROLLBACK")
      for (job, _) in done { job.refuse(error) }
      return []
    }
    do {
      try run(done.isEmpty ? "ROLLBACK" : "COMMIT")
    } catch {
      if isInTransaction { try? run("ROLLBACK") }
      guard isAlone else { return done.map(\.job) }
      for (job, _) in done { job.refuse(error) }
      return []
    }
    guard !done.isEmpty else { return [] }
    adaptToCommit()
    do throws(AuthError) {
      try place.checkCommit()
      for (_, confirm) in done { confirm() }
    } catch {
      for (job, _) in done { job.refuse(error) }
    }
    return []
  }

  fileprivate func commitAlone(_ job: WriteJob, at place: StorePlace) {
    do {
      try run("BEGIN IMMEDIATE")
    } catch {
      return job.refuse(error)
    }
    _ = commitTogether([job], at: place)
  }

  private func perform(_ job: WriteJob, alone: Bool) throws -> Ending<WriteJob.Confirmation> {
    // If its only job fails, the whole transaction is rolled back. A savepoint would copy pages for nothing.
    if alone { return try job.perform(on: self) }
    return try inSavepoint { try job.perform(on: self) }
  }
}
