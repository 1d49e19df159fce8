import Foundation

/// Hands pieces of work to threads that have a connection, and starts and ends these threads.
///
/// `condition` guards all of the mutable state, which makes sharing it safe.
final class WaitingLine: @unchecked Sendable {
  private let options: ConnectionOptions
  private let age: ConnectionAge
  private let condition = NSCondition()
  private var waiting: [PoolJob] = []
  private var threads = 0
  /// Threads that have a connection.
  private var connected = 0
  /// Threads that have a connection and nothing to do.
  private var idle = 0
  private var isClosed = false
  private var growth = PoolGrowth()
  /// The server's processes that a pooler has given to the connections.
  private var backends: Set<Int32> = []

  init(_ options: ConnectionOptions, _ age: ConnectionAge) {
    self.options = options
    self.age = age
  }

  func add(_ job: PoolJob, isAhead: Bool) {
    condition.withLock {
      waiting.insert(job, at: isAhead ? 0 : waiting.count)
      condition.signal()
      grow()
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Starts a thread that has its connection already.
  func start(with slot: sending ConnectionSlot) {
    condition.withLock {
      threads += 1
      connected += 1
      count(slot)
    }
    nonisolated(unsafe) let slot = slot
    Thread { self.serve(slot) }.start()
  }

  /// Starts a thread if work waits for which no thread is idle or about to be connected.
  private func grow() {
    let connecting = threads - connected
    guard waiting.count > idle + connecting, threads < options.connections,
      // While they are scarce one tries for all.
      connected == 0 || growth.isDue && (connecting == 0 || !growth.isScarce)
    else { return }
    threads += 1
    Thread { self.serve(ConnectionSlot(self.options, age: self.age)) }.start()
  }

  private func serve(_ slot: ConnectionSlot) {
    while connect(slot), let job = next(slot) {
      // It was idle, maybe for long: what the server has ended in the meantime is noticed before work is begun.
      guard slot.isFit else {
        drop(slot, handingBack: job, atFront: true)
        continue
      }
      if case .lost = job.run(slot) {
        // Behind the others, so that work which fails again and again does not keep them from theirs.
        drop(slot, handingBack: job, atFront: false)
      } else if !slot.hasConnection {
        drop(slot)
      }
    }
    // The place is free before the server knows that the connection is.
    slot.disconnect()
  }

  /// Sees to it that the thread has a connection; false if the thread is to end, which then is counted no more.
  private func connect(_ slot: ConnectionSlot) -> Bool {
    if slot.hasConnection { return true }
    var failures = 0
    while true {
      do throws(PostgresFailure) {
        _ = try slot.connected()
        try enter(slot)
        return true
      } catch {
        slot.disconnect()
        guard goesOn(after: error) else { return false }
      }
      failures += 1
      Attempts.pause(after: failures).sleep()
      guard isNeeded() else { return false }
    }
  }

  /// Counts a new connection; throws if it shares a process of the server with another one.
  private func enter(_ slot: ConnectionSlot) throws(PostgresFailure) {
    let isShared = condition.withLock {
      if let backend = slot.pooledBackend, backends.contains(backend) { return true }
      count(slot)
      connected += 1
      growth.succeeded()
      return false
    }
    if isShared { throw .pooler }
  }

  /// Decides whether a thread that could not connect tries again; if not it is counted no more.
  private func goesOn(after failure: PostgresFailure) -> Bool {
    let (refused, goesOn) = condition.withLock { () -> ([PoolJob], Bool) in
      guard connected == 0 else {
        // Others work, and may do so for this one too.
        growth.failed(isForWant: failure.problem == .noSlot)
        threads -= 1
        return ([], false)
      }
      let refused = waiting.filter { !failure.mayPass || $0.ticket.isImpatient }
      waiting.removeAll { !failure.mayPass || $0.ticket.isImpatient }
      if waiting.isEmpty { threads -= 1 }
      return (refused, !waiting.isEmpty)
    }
    for job in refused { job.refuse(failure) }
    return goesOn
  }

  /// Whether another connection is of use; if not the thread is counted no more.
  private func isNeeded() -> Bool {
    condition.withLock {
      guard waiting.count <= idle || connected > 0 && !growth.isDue else { return true }
      threads -= 1
      return false
    }
  }

  /// Waits for work; nil if the thread is to end, which then is counted no more.
  private func next(_ slot: ConnectionSlot) -> PoolJob? {
    condition.withLock {
      while true {
        if growth.shouldGiveWay(connected: connected) { break }
        if !waiting.isEmpty { return waiting.removeFirst() }
        if isClosed || !slot.isCurrent { break }
        idle += 1
        if growth.isScarce {
          _ = condition.wait(until: Date(timeIntervalSinceNow: PoolGrowth.idleTime))
        } else {
          condition.wait()
        }
        idle -= 1
        if growth.isScarce, waiting.isEmpty, connected > 1 { break }
      }
      leave(slot)
      threads -= 1
      // It may have been woken for work that is another's now.
      condition.signal()
      return nil
    }
  }

  /// Counts a connection no more that is of no use, and puts work back that was to run on it.
  private func drop(_ slot: ConnectionSlot, handingBack job: PoolJob? = nil, atFront: Bool = false)
  {
    condition.withLock {
      leave(slot)
      slot.disconnect()
      if let job { waiting.insert(job, at: atFront ? 0 : waiting.count) }
      // Connections of a generation that has ended are closed by the threads that have them.
      condition.broadcast()
    }
  }

  private func count(_ slot: ConnectionSlot) {
    slot.countedBackend = slot.pooledBackend
    slot.countedBackend.map { _ = backends.insert($0) }
  }

  private func leave(_ slot: ConnectionSlot) {
    connected -= 1
    slot.countedBackend.map { _ = backends.remove($0) }
    slot.countedBackend = nil
  }
}
