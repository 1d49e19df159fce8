/// The three parts of a compact token (RFC 7515 section 3.1), unverified.
package struct TokenParts: Sendable {
  /// The first part as received, in base64url.
  package let header: ArraySlice<UInt8>
  /// The second part as received.
  package let payload: ArraySlice<UInt8>
  /// The third part as received.
  package let signature: ArraySlice<UInt8>
  /// The signed bytes: header, period and payload.
  package let signedPart: ArraySlice<UInt8>

  /// Header members that could change the key or the signed bytes, and so are refused.
  ///
  /// The signer must not choose the key that verifies the token (RFC 8725 section 3.10). Every extension that `crit`
  /// names must be understood (RFC 7515 section 4.1.11), and AuthGraph has none. `b64` changes the signed bytes (RFC
  /// 7797).
  package static let refusedMembers = ["jku", "x5u", "jwk", "x5c", "crit", "b64", "zip", "enc"]

  /// Splits a token; nil if it does not have three parts, which may be empty.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    (header, payload, signature) = (parts[0], parts[1], parts[2])
    signedPart = bytes[..<payload.endIndex]
  }

  /// Returns the JSON object of a part; nil if it is not an object, or has two members with one name.
  package static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let bytes = Base64.url.bytes(of: part), let value = try? JSONValue(strict: bytes),
      case .object = value
    else { return nil }
    return value
  }

  /// Returns the bytes to sign, from an encoded header and claims as JSON.
  package static func signedPart(header: [UInt8], claims: [UInt8]) -> [UInt8] {
    var bytes = header
    bytes.append(UInt8(ascii: "."))
    Base64.url.append(claims, to: &bytes)
    return bytes
  }

  /// Returns the whole token, with an empty third part if there is no signature.
  package static func text(signedPart: [UInt8], signature: [UInt8] = []) -> String {
    var bytes = signedPart
    bytes.append(UInt8(ascii: "."))
    Base64.url.append(signature, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
