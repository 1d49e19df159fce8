package import AuthCore
import Dispatch
import NIOConcurrencyHelpers

/// A connection to the administration of a server, over which a console runs.
package struct ConsoleLink: Sendable {
  /// The outcome of a request.
  enum Outcome: Sendable {
    case done(JSONValue)
    /// The session does not exist, or no longer.
    case gone
    /// The server never got the statement, and refuses it from now on.
    case neverBegun
    /// The server refused the request, and has done nothing.
    case refused(AuthError)
    /// It is unknown whether the request arrived.
    case broken(AuthError)
  }

  /// The server as messages name it.
  package let host: String
  private let transport: any HTTPTransport
  private let root: String
  private let token: Secret<String>
  private let tenant: String?
  private let privateHosts: [String]
  /// The time for which a broken link is tried again.
  let patience: Duration

  private static let timeout = Duration.seconds(40)
  private static let mostBytes = 32 << 20

  /// Makes a connection.
  ///
  /// - Parameters:
  ///   - server: the address of the server, without a slash at its end.
  ///   - project: the project.
  ///   - tenant: the tenant; nil for the project itself.
  ///   - token: the admin's token.
  ///   - transport: sends the requests.
  ///   - isPrivate: true if the server may be at a private address or without TLS.
  ///   - patience: the time for which a broken link is tried again.
  package init(
    server: String, project: String, tenant: String?, token: Secret<String>,
    transport: any HTTPTransport, isPrivate: Bool, patience: Duration = .seconds(60)
  ) {
    let rest = server.split(separator: "/", omittingEmptySubsequences: true).dropFirst()
    let address = rest.first.map(String.init) ?? server
    host = address
    root = "\(server)/admin/v1/projects/\(URLText.escaped(project))/console"
    self.token = token
    self.tenant = tenant
    self.transport = transport
    self.patience = patience
    privateHosts = isPrivate ? [address] : []
  }

  /// Sends an operation and returns its outcome.
  ///
  /// `path` follows the collection of sessions, such as `/ID:evaluate`.
  func send(
    _ path: String, _ body: [String: JSONValue], method: HTTPRequest.Method = .post,
    timeout: Duration = Self.timeout
  ) async -> Outcome {
    var body = body
    if method == .post, let tenant { body["tenantId"] = .string(tenant) }
    let query = method == .delete ? tenant.map { "?tenantId=\(URLText.escaped($0))" } ?? "" : ""
    var request = HTTPRequest(
      method, root + path + query,
      headers: [
        ("Authorization", "Bearer \(token.reveal())"), ("Content-Type", "application/json"),
      ], body: method == .post ? Array(JSONValue.object(body).text.utf8) : [])
    request.timeout = timeout
    request.maximumResponseBytes = Self.mostBytes
    request.privateHosts = privateHosts
    do {
      return outcome(of: try await transport.send(request))
    } catch let error as AuthError {
      return .broken(error)
    } catch {
      return .broken(
        AuthError(.networkRequestFailed, "The request to \(host) was cancelled.", cause: error))
    }
  }

  private func outcome(of response: HTTPResponse) -> Outcome {
    let error = response.json?["error"]
    switch (response.status, error?["reason"]?.stringValue) {
    case (200, _):
      if let answer = response.json { return .done(answer) }
      return .broken(
        AuthError(.networkRequestFailed, "\(host) answered with something that is not JSON."))
    case (404, "console-gone"?): return .gone
    case (409, "statement-never-begun"?): return .neverBegun
    case (404, _) where error?["reason"] == nil:
      return .refused(
        AuthError(
          .operationNotAllowed, "\(host) has no console.",
          remedy: "Check the address, and that the server is of this version."))
    case (300..<400, _):
      return .refused(
        AuthError(
          .operationNotAllowed, "\(host) redirects to another address.",
          remedy: "Give --server the address to which it leads."))
    case (401, _):
      return .refused(
        AuthError(
          .operationNotAllowed, "\(host) does not accept the token.",
          remedy: "Make one on the server: authgraph admin-token new --scope console:read …"))
    case (500..., _):
      return .broken(
        AuthError(
          .networkRequestFailed,
          "\(host) answered with HTTP \(response.status)"
            + (error?["message"]?.stringValue.map { ": \($0)" } ?? ".")))
    default: return .refused(Self.error(error, status: response.status))
    }
  }

  /// Makes the error that the server described.
  private static func error(_ error: JSONValue?, status: Int) -> AuthError {
    let isForbidden = status == 403
    let message = error?["message"]?.stringValue ?? "The server answered with HTTP \(status)."
    // The check of the token's scopes has no remedy of its own.
    let remedy =
      message.contains("lacks the scope")
      ? "Use a token that has it: authgraph admin-token new --scope console:read …" : nil
    return AuthError(
      isForbidden ? .operationNotAllowed : .invalidArgument, message,
      field: error?["field"]?.stringValue, remedy: error?["remedy"]?.stringValue ?? remedy)
  }

  /// Sends an operation and blocks this thread, while Ctrl-C raises a flag.
  ///
  /// `interrupted` is called on this thread for each Ctrl-C; if it returns true, the request is given up.
  func wait(
    _ path: String, _ body: [String: JSONValue], _ flag: InterruptFlag,
    interrupted: () -> Bool
  ) -> Outcome {
    let answer = NIOLockedValueBox<Outcome?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    let task = Task.detached {
      let outcome = await send(path, body)
      answer.withLockedValue { $0 = outcome }
      isThere.signal()
    }
    while isThere.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      guard flag.isRaised else { continue }
      flag.lower()
      if interrupted() { task.cancel() }
    }
    return answer.withLockedValue(\.self)
      ?? .broken(AuthError(.networkRequestFailed, "The request to \(host) was cancelled."))
  }
}
