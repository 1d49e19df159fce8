import AuthCore

/// A signing key as the sealed text holds it.
struct StoredKey: Codable, Sendable, Hashable {
  let id: String
  let algorithm: SigningAlgorithm
  /// The private key in PEM.
  let privateKey: String
  /// The certificate in PEM.
  ///
  /// It is made once, because each ECDSA signature is different.
  let certificate: String
  let createdAt: Timestamp
  /// The time from which the key signs.
  let activeFrom: Timestamp

  /// Makes a key; an RSA key takes some tenths of a second.
  static func make(
    _ algorithm: SigningAlgorithm, for use: KeyUse, at now: Timestamp, activeFrom: Timestamp
  ) throws -> StoredKey {
    let id = RandomBytes.name(20)
    let key: SigningKey
    switch algorithm {
    case .rs256: key = try .rsa(keyID: id)
    case .es256: key = .p256(keyID: id)
    default:
      throw AuthError(
        .operationNotAllowed, "There are no keys for \(algorithm.rawValue) here.",
        field: "algorithm",
        remedy: suggestion(
          for: algorithm.rawValue, among: TokenService.algorithms.map(\.rawValue)),
        step: .token)
    }
    return StoredKey(
      id: id, algorithm: algorithm, privateKey: key.privateKeyPEM,
      certificate: try KeyCertificate(key).pem(for: use, at: now), createdAt: now,
      activeFrom: activeFrom)
  }
}
