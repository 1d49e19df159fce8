import AuthCore
import HTTPClientTransport
import Testing
import TestSupport

extension PlayedResolver {
  /// A transport with this name server; the check for public addresses can be replaced too.
  func transport(
    environment: [String: String] = [:], lifetime: Duration = .zero, maximumClients: Int = 32,
    isPublic: @escaping @Sendable (IPAddress) -> Bool = \.isPublic
  ) -> HTTPClientTransport {
    HTTPClientTransport(
      environment: environment, resolver: { self.addresses(of: $0).compactMap { IPAddress($0) } },
      addressLifetime: lifetime,
      maximumClients: maximumClients, isPublic: isPublic)
  }
}

extension HTTPRequest {
  /// A request to a server of the test, which the test allows as an admin would.
  static func to(
    _ server: RawServer, _ path: String = "/", _ method: Method = .get, body: String = "",
    within timeout: Duration = .seconds(20)
  ) -> HTTPRequest {
    var request = HTTPRequest(method, server.url(path), body: Array(body.utf8))
    request.privateHosts = [server.place]
    request.timeout = timeout
    return request
  }
}

extension HTTPTransport {
  /// Returns the error of the request.
  func failure(of request: HTTPRequest, _ location: SourceLocation = #_sourceLocation) async
    -> AuthError?
  {
    let error = await #expect(throws: AuthError.self, sourceLocation: location) {
      _ = try await send(request)
    }
    #expect(error?.code == .networkRequestFailed, sourceLocation: location)
    return error
  }
}
