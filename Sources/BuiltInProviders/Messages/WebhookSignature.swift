import AuthCore
import Crypto
import Foundation

/// Shows a receiver of webhooks who sent them, and when.
struct WebhookSignature: Sendable {
  private let key: SymmetricKey

  init(_ secret: Secret<String>) {
    key = SymmetricKey(data: Data(secret.reveal().utf8))
  }

  /// `t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA-256 of `SECONDS.BODY`.
  func header(for body: String, at now: Timestamp) -> String {
    let seconds = now.milliseconds / 1000
    return "t=\(seconds),v1=\(authentication(of: "\(seconds).\(body)"))"
  }

  func authentication(of text: String) -> String {
    HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hexadecimal
  }
}
