import AuthValues
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request under way, and the part of its answer that has arrived.
///
/// It ends once: with the answer, an error, the time limit or a cancellation, whichever is first. Whatever URLSession
/// reports afterwards is dropped.
final class Exchange: Sendable {
  private struct State {
    var head: HTTPResponse?
    var body: [UInt8] = []
    var waiter: CheckedContinuation<HTTPResponse, any Error>?
    var result: Result<HTTPResponse, any Error>?
  }

  let task: URLSessionDataTask
  private let limit: Int
  private let state = Locked(State())

  init(task: URLSessionDataTask, limit: Int) {
    self.task = task
    self.limit = limit
  }

  /// Sends the request and waits for the end.
  func response() async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let result = state.withLock { state in
          if state.result == nil { state.waiter = waiter }
          return state.result
        }
        if let result { waiter.resume(with: result) } else { task.resume() }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  /// Takes the head of the answer; returns false if the announced body is too large.
  ///
  /// An interim answer (100) has a head of its own before the final one.
  func receive(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse else {
      end(.failure(URLError(.badServerResponse)))
      return false
    }
    guard response.expectedContentLength <= Int64(limit) else {
      end(.failure(tooLarge))
      return false
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String {
        headers[name.lowercased()] = value
      }
    }
    let head = HTTPResponse(status: response.statusCode, headers: headers)
    state.withLock { state in
      state.head = head
      state.body = []
    }
    return true
  }

  /// Takes a part of the body; ends the exchange if the body becomes too large.
  func receive(_ data: Data) {
    let fits = state.withLock { state in
      guard state.result == nil else { return true }
      guard state.body.count + data.count <= limit else {
        state.body = []
        return false
      }
      state.body.append(contentsOf: data)
      return true
    }
    if !fits { end(.failure(tooLarge)) }
  }

  /// Takes the end of the task: an error, or nil for a whole answer.
  func complete(_ error: (any Error)?) {
    if let error { return end(.failure(error)) }
    let answer = state.withLock { state in
      state.head.map { HTTPResponse(status: $0.status, headers: $0.headers, body: state.body) }
    }
    end(answer.map { .success($0) } ?? .failure(URLError(.badServerResponse)))
  }

  private var tooLarge: URLError {
    URLError(
      .dataLengthExceedsMaximum,
      userInfo: [NSLocalizedDescriptionKey: "The answer is larger than \(limit) bytes."])
  }

  /// Ends the exchange, unless it has ended.
  func end(_ result: Result<HTTPResponse, any Error>) {
    let (isFirst, waiter) = state.withLock { state in
      guard state.result == nil else {
        return (false, nil as CheckedContinuation<HTTPResponse, any Error>?)
      }
      state.result = result
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    guard isFirst else { return }
    // The cancellation waits for the thread that may be reporting this.
    if case .failure = result { DispatchQueue.global().async { [task] in task.cancel() } }
    waiter?.resume(with: result)
  }
}
