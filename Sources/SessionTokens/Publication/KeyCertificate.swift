import AuthCore
import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificate under which a key is published to those that take no JSON Web Keys.
///
/// Signed by the key itself: it proves nothing and only carries the public key, as Firebase's do.
enum KeyCertificate {
  static func pem(
    _ key: Certificate.PrivateKey, _ algorithm: SigningAlgorithm, for use: KeyUse, at now: Timestamp
  ) throws -> String {
    let name = try DistinguishedName { CommonName(use.commonName) }
    let start = Date(timeIntervalSince1970: Double(now.milliseconds / 1000))
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
      notValidBefore: start, notValidAfter: noExpiry, issuer: name, subject: name,
      signatureAlgorithm: algorithm == .rs256 ? .sha256WithRSAEncryption : .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
      },
      issuerPrivateKey: key)
    return try certificate.serializeAsPEM().pemString
  }

  /// 9999-12-31T23:59:59Z: there is no end that is known today (RFC 5280 section 4.1.2.5).
  private static let noExpiry = Date(timeIntervalSince1970: 253_402_300_799)
}
