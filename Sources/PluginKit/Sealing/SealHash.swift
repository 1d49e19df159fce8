import AuthCore
import Crypto
import Foundation

/// The hash functions of keyed hashes.
enum SealHash: String, CaseIterable {
  case md5, sha1, sha256, sha512

  init(_ reader: FixtureReader) throws(AuthError) {
    let name = try reader.text("algorithm") ?? "sha256"
    guard let hash = SealHash(rawValue: name) else {
      throw reader.mistake(
        "algorithm", "there is no hash \"\(name)\"", among: Self.allCases.map(\.rawValue), name)
    }
    self = hash
  }

  func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return switch self {
    case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: bytes, using: key))
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    }
  }
}

/// The key of a keyed hash: a text, or what a vendor derives from one.
///
/// `"{botToken}"` is the setting itself, `{ "sha256": "{botToken}" }` its digest, and
/// `{ "hmac": "{botToken}", "key": "WebAppData" }` its keyed hash.
enum SealKey {
  static func bytes(
    _ key: JSONValue, _ reader: FixtureReader, _ sealer: Sealer
  ) throws(AuthError) -> [UInt8] {
    if let text = key.stringValue { return Array(try sealer.recipe(text, []).utf8) }
    if let inner = key["sha256"] {
      return Array(SHA256.hash(data: try bytes(inner, reader, sealer)))
    }
    if let message = key["hmac"], let inner = key["key"] {
      return SealHash.sha256.hmac(
        try bytes(message, reader, sealer), key: try bytes(inner, reader, sealer))
    }
    if let text = key["base64"]?.stringValue,
      let bytes = Base64.bytes(ofEither: try sealer.recipe(text, []))
    {
      return bytes
    }
    throw reader.mistake(
      "key",
      "a key is a text, { \"sha256\": … }, { \"hmac\": …, \"key\": … } or { \"base64\": … }")
  }
}
