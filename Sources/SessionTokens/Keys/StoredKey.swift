import AuthCore
import Crypto
import CryptoExtras

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
    let pem: String
    let certificate: String
    switch algorithm {
    case .rs256:
      let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
      pem = key.pkcs8PEMRepresentation
      certificate = try KeyCertificate(key).pem(for: use, at: now)
    case .es256:
      let key = P256.Signing.PrivateKey()
      pem = key.pemRepresentation
      certificate = try KeyCertificate(key).pem(for: use, at: now)
    default:
      throw AuthError(
        .operationNotAllowed, "There are no keys for \(algorithm.rawValue) here.",
        field: "algorithm",
        remedy: suggestion(
          for: algorithm.rawValue, among: TokenService.algorithms.map(\.rawValue)),
        step: .token)
    }
    return StoredKey(
      id: RandomBytes.name(20), algorithm: algorithm, privateKey: pem, certificate: certificate,
      createdAt: now, activeFrom: activeFrom)
  }
}
