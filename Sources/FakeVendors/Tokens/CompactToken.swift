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
    guard let parts = TokenParts(text), let header = Base64.bytes(lenient: parts.header),
      let payload = Base64.bytes(lenient: parts.payload),
      let signature = Base64.bytes(lenient: parts.signature)
    else { return nil }
    self.header = String(decoding: header, as: UTF8.self)
    self.payload = String(decoding: payload, as: UTF8.self)
    self.signature = Data(signature)
  }

  /// The token as it is sent.
  public var text: String { "\(signedText).\(Base64.url.text(signature))" }

  /// What the signature is made of: the first two parts.
  public var signedText: String {
    "\(Base64.url.text(header.utf8)).\(Base64.url.text(payload.utf8))"
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
