public import AuthClient
public import AuthCore
import Foundation
public import IdentityToolkitService

/// Answers the requests of a client in the same process: a server's handlers without a socket.
///
/// Start here. A client cannot tell it from a server: paths, bodies and errors are the protocol's. Requests
/// come from no network address.
///
/// ```swift
/// let path = "accounts.db"
/// let backend = EmbeddedBackend(
///   store: try SQLiteStore(path: path), secrets: .keyFile("\(path).key"),
///   options: ServiceOptions(project: "demo-shop"))
/// ```
///
/// A request is one task with its caller. What a handler has committed stays committed when the task is
/// cancelled after that, and is answered as such; what was not committed by then is undone, and sending
/// throws `CancellationError`.
///
/// Mail leaves after the answer that tells of it. A program that ends soon waits for it with
/// `services.courier.finish(within:)`; what is not sent by then is sent by the next process on the store.
public struct EmbeddedBackend: AuthBackend {
  /// What answers: give the same services to an AuthServer to have it on a socket as well.
  public let services: ServerServices
  private let dispatcher: Dispatcher
  /// Removes from the store what nobody needs any more, for as long as a copy of this backend is there.
  private let sweeping: BackgroundSweep
  private let key: StoreKeyCheck?

  /// The accounts behind it.
  public var graph: AccountGraph { services.graph }

  /// Answers with services that were put together elsewhere.
  ///
  /// The key of their secrets is not compared with the store's.
  public init(services: ServerServices) {
    self.init(services: services, key: nil)
  }

  init(services: ServerServices, key: StoreKeyCheck?) {
    self.services = services
    self.key = key
    dispatcher = Dispatcher(services)
    // A process before this one may have ended before it sent all of its messages.
    services.courier.wake()
    sweeping = BackgroundSweep(of: services.graph)
  }

  /// Answers a request.
  ///
  /// Throws `invalid-argument` with the field `keyFile` if the secrets of the store were sealed with another key, and
  /// `store-unavailable` if the store has a key and its file is not there or cannot be used.
  public func send(_ request: BackendRequest) async throws -> BackendResponse {
    try Task.checkCancellation()
    try await key?.pass()
    let start = ContinuousClock.now
    let id = RequestID.new()
    let (operation, response) = await dispatcher.answer(Self.request(for: request, id))
    services.telemetry.answered(
      operation, status: response.status, errorCode: response.errorCode,
      requestID: id, after: ContinuousClock.now - start)
    if response.status >= 499 { try Task.checkCancellation() }
    return BackendResponse(status: response.status, body: Data(response.body))
  }

  private static func request(for request: BackendRequest, _ id: String) -> ServerRequest {
    var headers = ["content-type": "application/json"]
    for (name, value) in request.headers { headers[name.lowercased()] = value }
    let key = request.apiKey.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return ServerRequest(
      method: "POST", path: request.path, query: "key=\(key)", headers: headers,
      body: Array(request.body), requestID: id)
  }
}
