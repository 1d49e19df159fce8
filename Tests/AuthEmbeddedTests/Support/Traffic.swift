import AuthClient
import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// A backend that records requests and passes them on.
final class Traffic: AuthBackend {
  private let backend: any AuthBackend
  private let courier: MessageCourier
  private let state = NIOLockedValueBox(State())

  private struct State {
    var paths: [String] = []
    var bodies: [Data] = []
    var headers: [[String: String]] = []
    var isCut = false
    var answer: (path: String, response: BackendResponse)?
    var delay: (path: String, duration: Duration)?
    var kept: (path: String, response: BackendResponse)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Takes the answering backend, and the courier of messages, which is waited for after each answer.
  init(_ backend: any AuthBackend, _ courier: MessageCourier) {
    self.backend = backend
    self.courier = courier
  }

  func send(_ request: BackendRequest) async throws -> BackendResponse {
    let (isCut, answer, delay) = state.withLockedValue { state in
      state.paths.append(request.path)
      state.bodies.append(request.body)
      state.headers.append(request.headers)
      return (
        state.isCut, state.answer.flatMap { $0.path == request.path ? $0.response : nil },
        state.delay.flatMap { $0.path == request.path ? $0.duration : nil }
      )
    }
    if isCut { throw URLError(.notConnectedToInternet) }
    if let answer { return answer }
    if let late = await heldAnswer(to: request) { return late }
    let response = try await backend.send(request)
    await courier.settled()
    if let delay { try await Task.sleep(for: delay) }
    return response
  }

  /// The paths of all requests, oldest first.
  var paths: [String] { state.withLockedValue(\.paths) }

  /// The body of the newest request.
  var lastBody: [String: Any] {
    let body = state.withLockedValue { $0.bodies.last } ?? Data()
    return (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }

  /// The headers of the newest request.
  var lastHeaders: [String: String] { state.withLockedValue { $0.headers.last ?? [:] } }

  /// Returns the number of requests to a path.
  func count(_ path: String) -> Int { paths.count { $0 == path } }

  func forget() {
    state.withLockedValue { state in
      (state.paths, state.bodies, state.headers) = ([], [], [])
    }
  }

  /// Disconnects the backend, or connects it again.
  func cut(_ isCut: Bool = true) {
    state.withLockedValue { $0.isCut = isCut }
  }

  /// Answers requests to a path in place of the server from now on; nil ends that.
  func answer(_ path: String, _ body: String?, status: Int = 200) {
    state.withLockedValue {
      $0.answer = body.map { (path, BackendResponse(status: status, body: Data($0.utf8))) }
    }
  }

  /// Keeps the next answer of a path until it is released, and returns this response then.
  func hold(_ path: String, _ response: BackendResponse) {
    state.withLockedValue { $0.kept = (path, response) }
  }

  /// The number of answers that are kept.
  var held: Int { state.withLockedValue(\.waiting.count) }

  func release() {
    let waiting = state.withLockedValue { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func heldAnswer(to request: BackendRequest) async -> BackendResponse? {
    let kept = state.withLockedValue { state -> BackendResponse? in
      guard let kept = state.kept, kept.path == request.path else { return nil }
      state.kept = nil
      return kept.response
    }
    guard let kept else { return nil }
    await withCheckedContinuation { continuation in
      state.withLockedValue { $0.waiting.append(continuation) }
    }
    return kept
  }

  /// Delays the answers of a path, so that others arrive first.
  func delay(_ path: String, by duration: Duration) {
    state.withLockedValue { $0.delay = (path, duration) }
  }
}
