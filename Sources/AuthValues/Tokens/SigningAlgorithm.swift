/// An algorithm that signs tokens with a private key, so that who verifies cannot sign.
///
/// There is neither `none` nor HMAC; a token that names one is refused whatever is declared.
public enum SigningAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
  /// RSA with PKCS #1 v1.5: what Firebase's own tokens have, and the only one that its Admin SDKs take.
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  /// RSA with PSS.
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  /// The curve P-256: some thirty times cheaper to sign with than RSA.
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  /// The curve Ed25519 (RFC 8037).
  case edDSA = "EdDSA"
}
