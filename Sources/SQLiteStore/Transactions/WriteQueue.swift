import GRDB
import NIOConcurrencyHelpers
import Synchronization

/// Commits what is waiting together, each closure in its own savepoint.
///
/// A durable commit waits for the disk. What arrives meanwhile shares the next commit, so under load many writes
/// share one wait; a write that comes alone is a transaction of its own. Where a shared commit fails, on a full
/// disk, each closure runs again alone, so that no write fails because of another.
final class WriteQueue: Sendable {
  private struct State {
    var waiting: [WriteJob] = []
    var isDraining = false
  }

  private static let largestBatch = 128

  private let database: any DatabaseWriter
  private let state = NIOLockedValueBox(State())

  init(_ database: any DatabaseWriter) {
    self.database = database
  }

  /// Runs a closure and returns when what it wrote is committed.
  ///
  /// A task that is cancelled before its commit leaves nothing behind.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = WriteJob(
          isCancelled: isCancelled,
          run: { database in
            let result = try body(database)
            return { continuation.resume(returning: result) }
          },
          refuse: { continuation.resume(throwing: $0) })
        enqueue(job)
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  private func enqueue(_ job: WriteJob) {
    let wasIdle = state.withLockedValue { state in
      state.waiting.append(job)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if wasIdle { database.asyncWriteWithoutTransaction { self.drain($0) } }
  }

  private func drain(_ database: Database) {
    while let batch = nextBatch() {
      for job in database.commitTogether(batch) { database.commitTogether([job]) }
    }
  }

  private func nextBatch() -> [WriteJob]? {
    state.withLockedValue { state in
      let batch = Array(state.waiting.prefix(Self.largestBatch))
      state.waiting.removeFirst(batch.count)
      state.isDraining = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }
}

/// One closure that waits for its turn.
struct WriteJob: Sendable {
  typealias Confirmation = @Sendable () -> Void

  let isCancelled: CancellationFlag
  /// Runs the closure and gives what tells its caller that the commit is done.
  let run: @Sendable (Database) throws -> Confirmation
  let refuse: @Sendable (any Error) -> Void

  func perform(in database: Database) throws -> Confirmation {
    try isCancelled.check()
    let confirmation = try run(database)
    try isCancelled.check()
    return confirmation
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

extension Database {
  /// Commits jobs in one transaction; gives those that have to be tried again alone.
  @discardableResult
  fileprivate func commitTogether(_ jobs: [WriteJob]) -> [WriteJob] {
    do {
      try beginTransaction(.immediate)
    } catch {
      for job in jobs { job.refuse(error) }
      return []
    }
    let isAlone = jobs.count == 1
    var done: [(job: WriteJob, confirm: WriteJob.Confirmation)] = []
    for (index, job) in jobs.enumerated() {
      do {
        done.append((job, try perform(job, alone: isAlone)))
      } catch {
        // A full disk makes SQLite take the whole transaction back, not only this job's part.
        guard isInsideTransaction || isAlone else { return done.map(\.job) + jobs[index...] }
        job.refuse(error)
      }
    }
    do {
      try done.isEmpty ? rollback() : commit()
      for (_, confirm) in done { confirm() }
      return []
    } catch {
      try? rollback()
      guard isAlone else { return done.map(\.job) }
      for (job, _) in done { job.refuse(error) }
      return []
    }
  }

  private func perform(_ job: WriteJob, alone: Bool) throws -> WriteJob.Confirmation {
    // The transaction itself is taken back when its only job fails; a savepoint would copy pages for nothing.
    if alone { return try job.perform(in: self) }
    var confirmation: WriteJob.Confirmation?
    try inSavepoint {
      confirmation = try job.perform(in: self)
      return .commit
    }
    return confirmation ?? {}
  }
}
