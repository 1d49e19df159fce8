import AuthCore
import Crypto
import Foundation

/// An admin's own web service that takes signed JSON.
struct Webhook: Sendable {
  private let transport: any HTTPTransport
  private let url: String
  private let key: SymmetricKey
  private let privateHosts: [String]
  private let clock: @Sendable () -> Timestamp

  init(
    transport: any HTTPTransport, url: String, secret: Secret<String>, privateHosts: [String],
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.transport = transport
    self.url = url
    key = SymmetricKey(data: Data(secret.reveal().utf8))
    self.privateHosts = privateHosts
    self.clock = clock
  }

  var host: String { URLText.host(of: url) ?? "" }

  /// Posts a body; a repeated body has to have the same idempotency key.
  func post(_ body: String, idempotencyKey: String) async throws -> HTTPResponse {
    var request = HTTPRequest(
      .post, url,
      headers: [
        ("Content-Type", "application/json"), ("Authgraph-Signature", signature(of: body)),
        ("Idempotency-Key", idempotencyKey),
      ], body: Array(body.utf8))
    request.privateHosts = privateHosts
    return try await transport.send(request)
  }

  /// The HMAC-SHA-256 of a text under the shared secret, as hex.
  func authentication(of text: String) -> String {
    HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hexadecimal
  }

  /// The header `t=SECONDS,v1=HEX`, which proves the sender and the time.
  private func signature(of body: String) -> String {
    let seconds = clock().milliseconds / 1000
    return "t=\(seconds),v1=\(authentication(of: "\(seconds).\(body)"))"
  }
}
