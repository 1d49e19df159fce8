import AuthCore
import BuiltInProviders

/// The three parts of a token (RFC 7515 section 3.1), read and written; nothing of it is believed yet.
struct CompactToken: Sendable {
  let header: JSONValue
  let claims: JSONValue
  /// Header, period and payload as they were sent: what is signed.
  let signedPart: ArraySlice<UInt8>
  let signature: [UInt8]

  /// No larger token is read, or given.
  static let maximumBytes = 64 << 10

  /// Reads a token; nil where it has not three parts of base64url, the first two JSON objects without
  /// members of one name.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64URL.bytes(of: parts[2])
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signedPart = bytes[..<parts[1].endIndex]
  }

  private static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let bytes = Base64URL.bytes(of: part), let value = try? JSONValue(strict: bytes),
      case .object = value
    else { return nil }
    return value
  }

  /// What is to be signed: an encoded header, and claims as JSON.
  static func signedPart(header: [UInt8], claims: [UInt8]) -> [UInt8] {
    var bytes = header
    bytes.append(UInt8(ascii: "."))
    Base64URL.append(claims, to: &bytes)
    return bytes
  }

  /// The whole token; without a signature its third part is empty.
  static func text(signedPart: [UInt8], signature: [UInt8] = []) -> String {
    var bytes = signedPart
    bytes.append(UInt8(ascii: "."))
    Base64URL.append(signature, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
