import AuthCore
import Synchronization

/// Answers requests from a script and counts them.
final class CountingTransport: HTTPTransport {
  typealias Script = @Sendable (HTTPRequest, _ count: Int) async throws -> HTTPResponse

  private let script: Mutex<Script>
  private let sent = Mutex<[HTTPRequest]>([])

  init(_ script: @escaping Script) {
    self.script = Mutex(script)
  }

  /// Gives the same answer to everything.
  convenience init(always response: HTTPResponse) {
    self.init { _, _ in response }
  }

  var requests: [HTTPRequest] { sent.withLock(\.self) }
  var count: Int { requests.count }

  func answer(_ script: @escaping Script) {
    self.script.withLock { $0 = script }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let count = sent.withLock {
      $0.append(request)
      return $0.count
    }
    return try await script.withLock(\.self)(request, count)
  }
}

extension HTTPResponse {
  static func ok(_ text: String, headers: [String: String] = [:]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
  }

  static func status(_ status: Int, _ text: String = "") -> HTTPResponse {
    HTTPResponse(status: status, body: Array(text.utf8))
  }
}

/// Holds tasks until it is opened, or until enough others have arrived.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(arrivals: Int = .max) {
    state = Mutex(State(missing: arrivals))
  }

  func arrive() {
    let isLast = state.withLock { state in
      state.missing -= 1
      return state.missing == 0
    }
    if isLast { open() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
