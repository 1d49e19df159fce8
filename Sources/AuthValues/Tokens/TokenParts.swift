/// The three parts of a compact token (RFC 7515 section 3.1), read and written without belief in any of them.
package struct TokenParts: Sendable {
  /// The first part as it was sent, in base64url.
  package let header: ArraySlice<UInt8>
  /// The second part as it was sent.
  package let payload: ArraySlice<UInt8>
  /// The third part as it was sent.
  package let signature: ArraySlice<UInt8>
  /// The signed bytes: header, period and payload.
  package let signedPart: ArraySlice<UInt8>

  /// Members of a header that would change the key, or what is signed.
  ///
  /// Who signs a token must not choose the key it is checked with (RFC 8725 section 3.10). What `crit`
  /// names has to be understood (RFC 7515 section 4.1.11), and we know none; `b64` would change what is
  /// signed (RFC 7797).
  package static let refusedMembers = ["jku", "x5u", "jwk", "x5c", "crit", "b64", "zip", "enc"]

  /// Takes a token apart; nil if it has not three parts, which may be empty.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    (header, payload, signature) = (parts[0], parts[1], parts[2])
    signedPart = bytes[..<payload.endIndex]
  }

  /// The JSON object that a part holds; nil if it holds none, or one with two members of one name.
  package static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let bytes = Base64.url.bytes(of: part), let value = try? JSONValue(strict: bytes),
      case .object = value
    else { return nil }
    return value
  }

  /// The bytes to sign, made of an encoded header and claims as JSON.
  package static func signedPart(header: [UInt8], claims: [UInt8]) -> [UInt8] {
    var bytes = header
    bytes.append(UInt8(ascii: "."))
    Base64.url.append(claims, to: &bytes)
    return bytes
  }

  /// The whole token, with an empty third part if there is no signature.
  package static func text(signedPart: [UInt8], signature: [UInt8] = []) -> String {
    var bytes = signedPart
    bytes.append(UInt8(ascii: "."))
    Base64.url.append(signature, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
