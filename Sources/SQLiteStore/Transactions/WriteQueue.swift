import AuthCore
import CSQLite3
import Dispatch
import NIOConcurrencyHelpers
import Synchronization

/// Commits what is waiting together, each closure in its own savepoint.
///
/// A durable commit waits for the disk. What arrives meanwhile shares the next commit, so under load many writes
/// share one wait; a write that comes alone is a transaction of its own, on the thread that asks. Writes are
/// served in the order in which they come, at most ``largestBatch`` in a transaction, so that none waits for longer
/// than those before it take. Where a shared commit fails, on a full disk, each closure runs again alone, so that no
/// write fails because of another. Nothing is committed to a file that is not the one that the path names, and nothing
/// is confirmed that is not in it.
final class WriteQueue: Sendable {
  private struct State {
    var waiting: [WriteJob] = []
    var isDraining = false
    var isClosed = false
  }

  private static let largestBatch = 128

  private let writer: SharedConnection
  private let file: StoreFile
  /// Where writes go on that whoever began them does not wait for.
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

  /// Runs a closure and returns when what it wrote is committed, or taken back if it says so.
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

  /// Refuses every write from now on; throws while there are any.
  func close() throws {
    try state.withLockedValue { state in
      guard !state.isDraining else {
        throw StoreFailure(code: SQLITE_BUSY, message: "something is still written")
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
    // Nobody else is writing, so the first goes here: another thread would have to be woken, and then this one.
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

  /// Uses the writer, which is there for as long as there is something to write.
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

  /// Whether somebody is waiting; where nobody is, the next one begins anew.
  private func hasMore() -> Bool {
    state.withLockedValue { state in
      state.isDraining = !state.waiting.isEmpty
      return state.isDraining
    }
  }

  /// Commits the next batch; false where another process is writing and nobody is to wait for it here.
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

/// One closure that waits for its turn.
struct WriteJob: Sendable {
  typealias Confirmation = @Sendable () -> Void

  let isCancelled: CancellationFlag
  /// Runs the closure and gives what tells its caller that it is done.
  let run: @Sendable (SQLiteConnection) throws -> Ending<Confirmation>
  let refuse: @Sendable (any Error) -> Void

  func perform(on connection: SQLiteConnection) throws -> Ending<Confirmation> {
    try isCancelled.check()
    let ending = try run(connection)
    try isCancelled.check()
    return ending
  }
}

/// Tells one thread that a task of another was cancelled.
final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .relaxed) }

  func check() throws {
    if value.load(ordering: .relaxed) { throw CancellationError() }
  }
}

extension SQLiteConnection {
  /// Commits jobs in the transaction that has begun; gives those that have to be tried again alone.
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
        // A full disk makes SQLite take the whole transaction back, not only this job's part.
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
    // The transaction itself is taken back when its only job fails; a savepoint would copy pages for nothing.
    if alone { return try job.perform(on: self) }
    return try inSavepoint { try job.perform(on: self) }
  }
}
