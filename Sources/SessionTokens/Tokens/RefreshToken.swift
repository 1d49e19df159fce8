import AuthCore
import Crypto

/// A refresh token of signed style: 256 random bits, of which the store keeps a digest.
///
/// A tenant's begins with the tenant's name in base64url and a period, so that its session is found; that is
/// no secret, and a changed one finds nothing.
struct RefreshToken {
  let text: String
  let tenant: String?

  /// What ``SessionRecord/id`` is.
  var digest: String { Self.digest(of: text) }

  static func digest(of text: String) -> String {
    Base64.url.text(Array(SHA256.hash(data: Array(text.utf8))))
  }

  /// Makes a new one.
  init(tenant: String?) {
    let random = Base64.url.text(RandomBytes.make(32))
    self.tenant = tenant
    text = tenant.map { "\(Base64.url.text($0.utf8)).\(random)" } ?? random
  }

  /// Reads one; nil where it has not the form.
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
