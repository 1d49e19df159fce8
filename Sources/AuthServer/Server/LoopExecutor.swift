import NIOCore

/// Runs tasks on the thread of an event loop.
///
/// Heads of requests are looked at there. Swift's own threads, of which there are as many as processors, may all be
/// busy with requests that were let in before.
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
