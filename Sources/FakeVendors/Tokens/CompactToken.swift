public import AuthCore
public import Foundation

/// Takes a compact JWS apart and puts it together again, also wrongly.
///
/// Checks nothing by itself.
public struct CompactToken: Hashable, Sendable {
  /// The JSON texts as they stand in the token, which need not be JSON.
  public var header: String
  public var payload: String
  public var signature: Data

  public init(header: String, payload: String, signature: Data = Data()) {
    self.header = header
    self.payload = payload
    self.signature = signature
  }

  /// Takes a token apart, or gives nil where it has not three parts of base64url.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { return nil }
    self.header = String(decoding: header, as: UTF8.self)
    self.payload = String(decoding: payload, as: UTF8.self)
    self.signature = signature
  }

  /// The token as it is sent.
  public var text: String { "\(signedText).\(Base64URL.encode(signature))" }

  /// What the signature is made of: the first two parts.
  public var signedText: String {
    "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
  }

  public var headerMembers: JSONValue? { try? JSONValue(text: header) }
  public var claims: JSONValue? { try? JSONValue(text: payload) }

  /// The same token with one bit of its signature turned over.
  public func corruptingSignature() -> CompactToken {
    var copy = self
    guard let last = copy.signature.indices.last else { return copy }
    copy.signature[last] ^= 1
    return copy
  }

  /// The same token with nothing after the second dot.
  public func droppingSignature() -> CompactToken {
    CompactToken(header: header, payload: payload)
  }

  /// The same header and signature over other claims.
  public func replacingClaims(_ claims: JSONValue) -> CompactToken {
    CompactToken(header: header, payload: claims.text, signature: signature)
  }
}
