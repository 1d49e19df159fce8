import Foundation

/// The queue of URLSession's reports to its delegate.
///
/// On Linux, URLSession reads a body as fast as it arrives, and each part waits in the queue. A server that sends without
/// end could fill the memory before the first parts are looked at. So reports are run at once there, on URLSession's own
/// thread, which reads on afterwards. A report may not call the session's tasks, which wait for that thread.
enum ReportQueue {
  #if canImport(Darwin)
    static func make() -> OperationQueue? { nil }
  #else
    static func make() -> OperationQueue? { ImmediateQueue() }

    private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
      override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
  #endif
}
