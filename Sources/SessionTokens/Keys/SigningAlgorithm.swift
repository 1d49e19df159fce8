/// How tokens are signed.
public enum SigningAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
  /// RSA with 2,048 bits: what Firebase's own tokens have, and the only one that its Admin SDKs take.
  case rs256 = "RS256"
  /// The curve P-256: some thirty times cheaper to sign with.
  case es256 = "ES256"
}
