public import AuthClient
public import AuthCore
import Foundation
public import IdentityToolkitService

/// A server's request handlers without a socket, for a client in the same process.
///
/// Start here. To a client it behaves like a server: paths, bodies and errors are the protocol's. Its requests have
/// no network address.
///
/// ```swift
/// let path = "accounts.db"
/// let backend = EmbeddedBackend(
///   store: try SQLiteStore(path: path), secrets: .keyFile("\(path).key"),
///   options: ServiceOptions(project: "demo-shop"))
/// ```
///
/// A request runs in its caller's task. If the task is cancelled after the handler's commit, the change stays and the
/// answer says so. Before the commit, the change is rolled back and `send` throws `CancellationError`.
///
/// Mail is sent after the answer that announces it. A program that ends soon waits for it with
/// `services.courier.finish(within:)`. The next process on the store sends what is left.
public struct EmbeddedBackend: AuthBackend {
  /// The services that answer.
  ///
  /// Give them to an AuthServer to serve the same accounts on a socket.
  public let services: ServerServices
  private let dispatcher: Dispatcher
  /// A sweep that removes expired records from the store while a copy of this backend exists.
  private let sweeping: BackgroundSweep
  private let key: StoreKeyCheck?

  /// The account graph that the backend serves.
  public var graph: AccountGraph { services.graph }

  /// Makes a backend of services that were made elsewhere.
  ///
  /// It does not compare the key of their secrets with the store's.
  public init(services: ServerServices) {
    self.init(services: services, key: nil)
  }

  init(services: ServerServices, key: StoreKeyCheck?) {
    self.services = services
    self.key = key
    dispatcher = Dispatcher(services)
    // An earlier process may have ended before it sent all of its messages.
    services.courier.wake()
    sweeping = BackgroundSweep(of: services.graph)
  }

  /// Answers a request.
  ///
  /// Throws `invalid-argument` with the field `keyFile` if the store's secrets were sealed with another key. Throws
  /// `store-unavailable` if the store has a key whose file is missing or unusable.
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
    return BackendResponse(
      status: response.status, body: Data(response.body), cause: response.cause)
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
