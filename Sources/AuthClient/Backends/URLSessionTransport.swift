import AuthValues
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests by URLSession, with most promises of ``AuthValues/HTTPTransport``.
///
/// Addresses are not checked: the app names the server. No redirect is followed, because a request holds tokens and
/// passwords. No cookie, credential or answer is stored. The size is counted after decompression.
///
/// **Errors.** `network-request-failed` with the host and the error of URLSession as its cause, without the URL. A
/// cancelled task gets `CancellationError`.
final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let delegate: ExchangeDelegate

  /// Makes a session of its own, with the configuration of the given one if there is one.
  ///
  /// The delegate of the given session answers its challenges about certificates.
  init(_ given: URLSession? = nil) {
    // On Linux a session gives out its configuration itself, and the app may use it for others.
    let copy = given?.configuration.copy() as? URLSessionConfiguration
    let configuration = copy ?? .ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = HTTPBackend.maximumRequests
    delegate = ExchangeDelegate(certificates: given?.delegate)
    session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: ReportQueue.make())
  }

  deinit {
    // A session keeps its delegate until it is invalidated.
    session.finishTasksAndInvalidate()
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let task = session.dataTask(with: try Self.message(request))
    let exchange = Exchange(task: task, limit: request.maximumResponseBytes)
    delegate.add(exchange)
    defer { delegate.remove(exchange) }
    // URLSession's own limits start anew with each byte, and on Linux they do not end every task.
    let timer = Task {
      try await Task.sleep(for: request.timeout)
      let seconds = request.timeout.components.seconds
      exchange.end(
        .failure(
          URLError(
            .timedOut,
            userInfo: [NSLocalizedDescriptionKey: "It did not come within \(seconds) seconds."])))
    }
    defer { timer.cancel() }
    do {
      return try await exchange.response()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw Self.failure(error, of: request)
    }
  }

  private static func message(_ request: HTTPRequest) throws -> URLRequest {
    guard let url = URL(string: request.url), ["https", "http"].contains(url.scheme?.lowercased())
    else { throw failure(URLError(.badURL), of: request) }
    var message = URLRequest(url: url)
    message.httpMethod = request.method.rawValue
    message.httpShouldHandleCookies = false
    message.timeoutInterval = Double(request.timeout.components.seconds) + 1
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    return message
  }

  /// Returns an error without the URL, whose query holds the app's key.
  private static func failure(_ error: any Error, of request: HTTPRequest) -> AuthError {
    let error = error as NSError
    let host = URLText.host(of: request.url) ?? "The server"
    let cause = NSError(
      domain: error.domain, code: error.code,
      userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
    return AuthError(
      .networkRequestFailed, "\(host) gave no whole answer: \(error.localizedDescription)",
      remedy: "Check the address of the server and the network, or try again later.", cause: cause)
  }
}
