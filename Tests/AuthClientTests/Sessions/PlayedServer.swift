import AuthValues
import Foundation
import NIOConcurrencyHelpers
import TestSupport

@testable import AuthClient

/// A server whose accounts have one name each, and whose answers a test can replace.
///
/// Its ID tokens are unsigned. A refused one is answered with `TOKEN_EXPIRED`, or another code.
final class PlayedServer: AuthBackend {
  static let epoch = Date(timeIntervalSince1970: 1_800_000_000)

  private let state = NIOLockedValueBox(State())
  /// The gate that refreshes wait for, if any.
  let gate: Gate?

  private struct State {
    var paths: [String] = []
    var issued = 0
    /// The ID token of the last change.
    var issuedLast = ""
    var refused: Set<String> = []
    var refusal = "TOKEN_EXPIRED"
    /// The only operation that refuses; nil for all.
    var refusing: AuthClient.Operation?
    var refresh = Refresh.granted
    /// The refresh token of the last change, and the delays of the answers to the next ones; nil if changes end nothing.
    var changes: (last: String, delays: [Int])?
    /// The gate that the answers to changes wait for, if any.
    var changeGate: Gate?
  }

  /// The answer to a refresh.
  enum Refresh: Sendable {
    case granted
    case refused(String, status: Int)
    case unreachable
    /// New tokens, which the server refuses like the old ones.
    case useless
  }

  init(gate: Gate? = nil) { self.gate = gate }

  /// The paths of all requests, oldest first.
  var paths: [String] { state.withLockedValue(\.paths) }

  func count(_ operation: AuthClient.Operation) -> Int { paths.count { $0 == operation.rawValue } }

  func forget() { state.withLockedValue { $0.paths = [] } }

  /// Refuses an ID token from now on, at one operation or at all.
  func refuse(
    _ token: String, _ refusal: String = "TOKEN_EXPIRED", at operation: AuthClient.Operation? = nil
  ) {
    state.withLockedValue { state in
      state.refused.insert(token)
      state.refusal = refusal
      state.refusing = operation
    }
  }

  func answerRefreshes(_ refresh: Refresh) { state.withLockedValue { $0.refresh = refresh } }

  /// Lets each change end all tokens that were issued before, and delays the answers to the next ones.
  ///
  /// A delay is counted in turns of the executor.
  func endTokensAtChanges(answeredAfter delays: [Int]) {
    state.withLockedValue { $0.changes = ("", delays) }
  }

  /// Lets each change end all tokens that were issued before, and keeps the answers until the gate opens.
  func endTokensAtChanges(answeredAt gate: Gate) {
    state.withLockedValue { state in
      state.changes = ("", [])
      state.changeGate = gate
    }
  }

  /// Makes a client of this server.
  func client(_ clock: AuthClock = AuthClock(now: { epoch })) -> Auth {
    Auth(backend: self, clock: clock)
  }

  func send(_ request: BackendRequest) async throws -> BackendResponse {
    state.withLockedValue { $0.paths.append(request.path) }
    let body = try JSONValue(text: String(decoding: request.body, as: UTF8.self))
    if request.path == AuthClient.Operation.token.rawValue {
      await gate?.wait()
      return try refreshed(body["refreshToken"]?.stringValue ?? "")
    }
    // A change is accepted with an ended token too, as a repetition.
    if request.path == AuthClient.Operation.update.rawValue,
      let token = body["idToken"]?.stringValue, let answer = await changed(token)
    {
      // The answer does not reach a task that was cancelled.
      try Task.checkCancellation()
      return answer
    }
    for member in ["idToken", "absorbIdToken", "sourceIdToken"] {
      guard let token = body[member]?.stringValue else { continue }
      let refusal = state.withLockedValue { state -> String? in
        guard state.refusing == nil || state.refusing?.rawValue == request.path else { return nil }
        return state.refused.contains(token) ? state.refusal : nil
      }
      if let refusal { return Self.refusal(refusal) }
    }
    if let token = body["idToken"]?.stringValue { return Self.answer(account(of: token)) }
    // A sign-in opens an account with the name of the address, or an anonymous one.
    await Task.yield()
    let name = body["email"]?.stringValue ?? "guest-\(next())"
    return Self.answer(tokens(of: name))
  }

  /// Ends the tokens before a change, also those that another change has brought, and answers with new ones.
  private func changed(_ token: String) async -> BackendResponse? {
    guard state.withLockedValue({ $0.changes != nil }) else { return nil }
    let name = account(of: token)["localId"]?.stringValue ?? ""
    let brought = idToken(of: name)
    let refreshToken = "refresh-\(name) \(next())"
    let delay = state.withLockedValue { state -> Int in
      state.refused.formUnion([token, state.issuedLast])
      state.issuedLast = brought
      state.changes?.last = refreshToken
      return state.changes?.delays.isEmpty == false ? state.changes?.delays.removeFirst() ?? 0 : 0
    }
    for _ in 0..<delay { await Task.yield() }
    await state.withLockedValue(\.changeGate)?.wait()
    return Self.answer([
      "idToken": .string(brought), "refreshToken": .string(refreshToken), "expiresIn": "3600",
      "localId": .string(name),
    ])
  }

  private func refreshed(_ refreshToken: String) throws -> BackendResponse {
    if let last = state.withLockedValue(\.changes)?.last, refreshToken != last {
      return Self.refusal("TOKEN_EXPIRED")
    }
    let name = String(refreshToken.dropFirst("refresh-".count).prefix { $0 != " " })
    switch state.withLockedValue(\.refresh) {
    case .unreachable: throw URLError(.notConnectedToInternet)
    case .refused(let message, let status): return Self.refusal(message, status: status)
    case .granted, .useless:
      let token = idToken(of: name)
      if case .useless = state.withLockedValue(\.refresh) { refuse(token) }
      return Self.answer([
        "access_token": .string(token), "refresh_token": .string(refreshToken),
        "expires_in": "3600",
      ])
    }
  }

  private func next() -> Int {
    state.withLockedValue { state in
      state.issued += 1
      return state.issued
    }
  }

  private func idToken(of name: String) -> String {
    let claims: JSONValue = [
      "sub": .string(name), "jti": .integer(Int64(next())), "iat": 0, "auth_time": 0, "exp": 0,
      "firebase": ["sign_in_provider": "password"],
    ]
    return TokenParts.text(
      signedPart: TokenParts.signedPart(
        header: Array("e30".utf8), claims: Array(claims.text.utf8)))
  }

  private func tokens(of name: String) -> JSONValue {
    [
      "idToken": .string(idToken(of: name)), "refreshToken": .string("refresh-\(name)"),
      "expiresIn": "3600", "localId": .string(name),
    ]
  }

  private func account(of token: String) -> JSONValue {
    let name = (try? AuthTokenResult(token: token))?.claims["sub"] as? String ?? ""
    return [
      "users": [
        [
          "localId": .string(name), "displayName": .string(name),
          "providerUserInfo": [["providerId": "google.com", "rawId": .string(name)]],
        ]
      ],
      "localId": .string(name), "survivor": .string(name), "absorbed": "other",
    ]
  }

  static func refusal(_ message: String, status: Int = 400) -> BackendResponse {
    let body: JSONValue = ["error": ["code": .integer(Int64(status)), "message": .string(message)]]
    return BackendResponse(status: status, body: Data(body.text.utf8))
  }

  private static func answer(_ value: JSONValue) -> BackendResponse {
    BackendResponse(status: 200, body: Data(value.text.utf8))
  }
}
