import AuthValues
public import Foundation
import HTTPClientTransport

/// Asks a server over HTTP: AuthGraph's own, Firebase's, or an emulator of either.
///
/// Thirty-two requests are under way at a time; further ones wait for their turn. An answer may take a minute from
/// then on.
public struct HTTPBackend: AuthBackend {
  private let place: Place
  private let transport: any HTTPTransport
  private let limiter = ConcurrencyLimiter(limit: 32)

  private enum Place: Sendable, Hashable {
    /// Firebase's hosts, one for each service.
    case firebase
    /// One address for all services, with their names as the first segment of the path.
    case server(String)
  }

  /// How long one answer may take.
  private static let timeout = Duration.seconds(60)

  private init(_ place: Place, _ transport: any HTTPTransport = HTTPClientTransport()) {
    self.place = place
    self.transport = transport
  }

  /// Firebase Authentication itself.
  public static let firebase = HTTPBackend(.firebase)

  /// A server at an address of yours, such as `https://auth.example.com`; it is asked directly, without a proxy.
  ///
  /// `http` is for a server on the same machine: whoever can listen in on the way could sign in as anybody.
  public init(server: URL) {
    var address = server.absoluteString
    while address.hasSuffix("/") { address.removeLast() }
    self.init(.server(address))
  }

  /// The emulator on a host and port; a host that is an IPv6 address may stand without brackets.
  public init(emulatorHost host: String, port: Int) {
    let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
    self.init(.server("http://\(isBareIPv6 ? "[\(host)]" : host):\(port)"))
  }

  public func send(_ request: BackendRequest) async throws -> BackendResponse {
    let base =
      switch place {
      case .firebase: "https://\(request.service.rawValue)"
      case .server(let address): "\(address)/\(request.service.rawValue)"
      }
    let url = URLText.adding([("key", request.apiKey)], to: base + request.path)
    var message = HTTPRequest(
      .post, url,
      headers: [("Content-Type", "application/json")]
        + request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      body: Array(request.body))
    message.timeout = Self.timeout
    // Whoever configured the address chose the host, wherever it is; Firebase's own are public.
    if place != .firebase { message.privateHosts = URLText.host(of: url).map { [$0] } ?? [] }
    let ready = message
    let response = try await limiter.pass { try await transport.send(ready) }
    return BackendResponse(status: response.status, body: Data(response.body))
  }
}
