import NIOCore

/// An executor that runs tasks on the thread of an event loop.
///
/// Heads of requests are handled there, because all of Swift's cooperative threads may be busy with requests that
/// were admitted before.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
