import AuthCore
import Crypto

/// A refresh token of signed style: 256 random bits, whose digest the store keeps.
///
/// A tenant's token begins with the tenant's name in base64url and a period, which locates its session. The prefix is
/// not secret, and a token with a changed prefix matches no session.
struct RefreshToken {
  let text: String
  let tenant: String?

  /// The digest of the token, which is the ``SessionRecord/id``.
  var digest: String { Self.digest(of: text) }

  static func digest(of text: String) -> String {
    Base64.url.text(Array(SHA256.hash(data: Array(text.utf8))))
  }

  /// Makes a new token.
  init(tenant: String?) {
    let random = Base64.url.text(RandomBytes.make(32))
    self.tenant = tenant
    text = tenant.map { "\(Base64.url.text($0.utf8)).\(random)" } ?? random
  }

  /// Reads a token; nil if it does not have the form.
  init?(_ text: String) {
    guard text.utf8.count <= 1024 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let random = parts.last,
      Base64.url.bytes(of: random.utf8)?.count == 32
    else { return nil }
    if parts.count == 2 {
      guard let bytes = Base64.url.bytes(of: parts[0].utf8), !bytes.isEmpty,
        let name = String(validating: bytes, as: UTF8.self)
      else { return nil }
      tenant = name
    } else {
      tenant = nil
    }
    self.text = text
  }
}
