import AuthValues
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A backend that calls a server over HTTP: AuthGraph's, Firebase's, or an emulator of either.
///
/// Up to 32 requests are under way at a time; further ones wait. An answer may take 60 seconds from then on.
public struct HTTPBackend: AuthBackend {
  private let place: Place
  private let transport: any HTTPTransport
  private let limiter = ConcurrencyLimiter(limit: maximumRequests)

  private enum Place: Sendable, Hashable {
    /// Firebase's hosts, one for each service.
    case firebase
    /// One address for all services, whose names are the first path segment.
    case server(String)
  }

  /// The time limit of an answer.
  private static let timeout = Duration.seconds(60)

  /// The number of requests under way at a time.
  static let maximumRequests = 32

  private init(_ place: Place, _ transport: any HTTPTransport = URLSessionTransport()) {
    self.place = place
    self.transport = transport
  }

  /// Firebase Authentication itself.
  public static let firebase = HTTPBackend(.firebase)

  /// Makes a backend of a server's address, such as `https://auth.example.com`.
  ///
  /// Use `http` only for a server on the same machine. Otherwise an eavesdropper could take over any session.
  public init(server: URL) {
    self.init(.server(Self.address(server)))
  }

  /// Makes a backend of a server's address whose requests have a session's configuration.
  ///
  /// That is its proxy, TLS and network; its delegate answers challenges about certificates on Apple's platforms.
  /// Whatever the configuration says, no cookie, credential or answer is stored, and no redirect is followed.
  public init(server: URL, session: URLSession) {
    self.init(.server(Self.address(server)), URLSessionTransport(session))
  }

  private static func address(_ server: URL) -> String {
    var address = server.absoluteString
    while address.hasSuffix("/") { address.removeLast() }
    return address
  }

  /// Makes a backend of an emulator.
  ///
  /// An IPv6 host may be written without brackets.
  public init(emulatorHost host: String, port: Int) {
    let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
    self.init(.server("http://\(isBareIPv6 ? "[\(host)]" : host):\(port)"))
  }

  /// Sends a request to the server; throws if no answer arrives within 60 seconds of its turn.
  ///
  /// The error has the domain and the code of `URLError`, such as `notConnectedToInternet`.
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
    let ready = message
    do {
      let response = try await limiter.pass { try await transport.send(ready) }
      return BackendResponse(status: response.status, body: Data(response.body))
    } catch let error as AuthError {
      throw error.cause ?? error
    }
  }
}
