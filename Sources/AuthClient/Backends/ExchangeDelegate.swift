import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes what URLSession reports of a task to its ``Exchange``.
///
/// A delegate for each task would need no table, but Linux reports a body only to the session's delegate.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Locked<[Int: Exchange]>([:])
  let certificates: (any URLSessionDelegate)?

  /// Makes a delegate that leaves challenges about certificates to another one.
  init(certificates: (any URLSessionDelegate)?) { self.certificates = certificates }

  func add(_ exchange: Exchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  func remove(_ exchange: Exchange) {
    exchanges.withLock { _ = $0.removeValue(forKey: exchange.task.taskIdentifier) }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let goesOn = exchange(of: dataTask)?.receive(response) ?? false
    completionHandler(goesOn ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchange(of: task)?.complete(error)
  }

  /// Refuses a redirect, which becomes the answer: it would carry tokens and passwords elsewhere.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Refuses to sign in to a server or a proxy; Linux waits without end if a challenge is left to URLSession.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The refusal waits for the thread that may be reporting this.
    DispatchQueue.global().async { completionHandler(.rejectProtectionSpace, nil) }
  }
}
