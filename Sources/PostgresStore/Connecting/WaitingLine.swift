import Foundation

/// The line of work that waits for connections, and the threads that serve it.
///
/// `condition` guards all of the mutable state, which makes sharing it safe.
final class WaitingLine: @unchecked Sendable {
  private let options: ConnectionOptions
  private let age: ConnectionAge
  private let condition = NSCondition()
  private var waiting: [PoolJob] = []
  private var threads = 0
  /// The number of threads that have a connection.
  private var connected = 0
  /// The number of threads that have a connection and no work.
  private var idle = 0
  private var isClosed = false
  private var growth = PoolGrowth()
  /// The server processes that a pooler assigned to the connections.
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

  /// Starts a thread that already has its connection.
  func start(with slot: sending ConnectionSlot) {
    condition.withLock {
      threads += 1
      connected += 1
      count(slot)
    }
    nonisolated(unsafe) let slot = slot
    Thread { self.serve(slot) }.start()
  }

  /// Starts a thread if work waits that no idle or connecting thread will take.
  private func grow() {
    let connecting = threads - connected
    guard waiting.count > idle + connecting, threads < options.connections,
      // While connections are scarce, a single thread tries for all.
      connected == 0 || growth.isDue && (connecting == 0 || !growth.isScarce)
    else { return }
    threads += 1
    Thread { self.serve(ConnectionSlot(self.options, age: self.age)) }.start()
  }

  private func serve(_ slot: ConnectionSlot) {
    while connect(slot), let job = next(slot) {
      // The thread may have been idle for long, so a connection that has ended meanwhile is replaced first.
      guard slot.isFit else {
        drop(slot, handingBack: job, atFront: true)
        continue
      }
      if case .lost = job.run(slot) {
        // At the end of the line, so that work which fails repeatedly does not hold up the rest.
        drop(slot, handingBack: job, atFront: false)
      } else if !slot.hasConnection {
        drop(slot)
      }
    }
    // The slot is counted as free before the server has closed the connection.
    slot.disconnect()
  }

  /// Connects the thread if necessary.
  ///
  /// Returns false if the thread has to end; it is not counted any more then.
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

  /// Counts a new connection; throws if another connection has the same server process.
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

  /// Returns true if a thread that failed to connect tries again; otherwise it is not counted any more.
  private func goesOn(after failure: PostgresFailure) -> Bool {
    let (refused, goesOn) = condition.withLock { () -> ([PoolJob], Bool) in
      guard connected == 0 else {
        // Other connections work, and can take the work of this one.
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

  /// Returns true if another connection is of use; otherwise the thread is not counted any more.
  private func isNeeded() -> Bool {
    condition.withLock {
      guard waiting.count <= idle || connected > 0 && !growth.isDue else { return true }
      threads -= 1
      return false
    }
  }

  /// Waits for work; returns nil if the thread has to end, and is not counted any more then.
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
      // The thread may have been woken for work that another thread has taken since.
      condition.signal()
      return nil
    }
  }

  /// Discards a broken connection and puts its work back into the line.
  private func drop(_ slot: ConnectionSlot, handingBack job: PoolJob? = nil, atFront: Bool = false)
  {
    condition.withLock {
      leave(slot)
      slot.disconnect()
      if let job { waiting.insert(job, at: atFront ? 0 : waiting.count) }
      // Wakes the threads whose connections belong to a generation that has ended, so that they close them.
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
