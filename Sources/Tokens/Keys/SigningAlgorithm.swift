/// An asymmetric signing algorithm of tokens, so that a verifier cannot sign.
///
/// There is neither `none` nor HMAC; a token that names one is always refused.
public enum SigningAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
  /// RSA with PKCS #1 v1.5: the algorithm of Firebase's own tokens, and the only one its Admin SDKs accept.
  case rs256 = "RS256"
  /// RSA with PKCS #1 v1.5 and SHA-384.
  case rs384 = "RS384"
  /// RSA with PKCS #1 v1.5 and SHA-512.
  case rs512 = "RS512"
  /// RSA with PSS and SHA-256.
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  /// ECDSA on the curve P-256, far cheaper to sign with than RSA.
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  /// EdDSA on the curve Ed25519 (RFC 8037).
  case edDSA = "EdDSA"
}
