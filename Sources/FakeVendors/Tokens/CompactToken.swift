public import AuthCore
public import Foundation

/// The three parts of a compact JWS, for taking it apart and putting it together again, even wrongly.
///
/// It checks nothing by itself.
public struct CompactToken: Hashable, Sendable {
  /// The text of the header, which need not be JSON.
  public var header: String
  /// The text of the payload, which need not be JSON.
  public var payload: String
  /// The bytes of the signature.
  public var signature: Data

  /// Makes a token from its parts.
  public init(header: String, payload: String, signature: Data = Data()) {
    self.header = header
    self.payload = payload
    self.signature = signature
  }

  /// Takes a token apart; nil unless it has three parts of base64url.
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

  /// The signed text: the first two parts.
  public var signedText: String {
    "\(Base64.url.text(header.utf8)).\(Base64.url.text(payload.utf8))"
  }

  /// The header as JSON; nil if it is malformed.
  public var headerMembers: JSONValue? { try? JSONValue(text: header) }
  /// The payload as JSON; nil if it is malformed.
  public var claims: JSONValue? { try? JSONValue(text: payload) }

  /// Returns the token with one flipped bit in its signature.
  public func corruptingSignature() -> CompactToken {
    var copy = self
    guard let last = copy.signature.indices.last else { return copy }
    copy.signature[last] ^= 1
    return copy
  }

  /// Returns the token with nothing after the second dot.
  public func droppingSignature() -> CompactToken {
    CompactToken(header: header, payload: payload)
  }

  /// Returns a token with the same header and signature over other claims.
  public func replacingClaims(_ claims: JSONValue) -> CompactToken {
    CompactToken(header: header, payload: claims.text, signature: signature)
  }
}
