public import AuthCore

extension CompactToken {
  /// Returns the token with another signature.
  public func replacingSignature(_ signature: [UInt8]) -> CompactToken {
    CompactToken(header: header, payload: payload, signature: signature)
  }

  /// Returns the token with one flipped bit in its signature.
  public func corruptingSignature() -> CompactToken {
    guard let last = signature.last else { return self }
    return replacingSignature(signature.dropLast() + [last ^ 1])
  }

  /// Returns the token with nothing after the second dot.
  public func droppingSignature() -> CompactToken { replacingSignature([]) }

  /// Returns a token with the same header and signature over other claims.
  public func replacingClaims(_ claims: JSONValue) -> CompactToken {
    CompactToken(header: header, payload: claims.text, signature: signature)
  }
}
