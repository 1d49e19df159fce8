import AuthCore
import Crypto
import CryptoExtras

/// A signing key as it is kept, inside a sealed text.
struct StoredKey: Codable, Sendable, Hashable {
  let id: String
  let algorithm: SigningAlgorithm
  /// PEM.
  let privateKey: String
  /// PEM; made once, because a signature on a curve is another one each time.
  let certificate: String
  let createdAt: Timestamp
  /// From when on the key signs.
  let activeFrom: Timestamp

  /// Makes a key; one of RSA takes some tenths of a second.
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
