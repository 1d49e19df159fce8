package import AuthCore
import Crypto
import Foundation
import SwiftASN1

/// A public key that checks signatures over bytes, for protocols that sign no token.
///
/// It is read like a key of ID tokens: weak keys, private keys and keys for another use are refused.
package struct SignatureKey: Sendable {
  /// The form of an ECDSA signature.
  package enum Form: String, Sendable, CaseIterable {
    /// A sequence of two numbers in DER (RFC 3279 section 2.2.3).
    case der
    /// Both numbers at full length, one after the other (RFC 7518 section 3.4).
    case raw
  }

  private let key: VerificationKey

  private static let maximumBytes = 16 << 10

  /// Reads a key: PEM of a public key or certificate, their DER, a JSON Web Key as text, or 32 bytes of Ed25519.
  ///
  /// A certificate carries its key and proves nothing: its signature and issuer are not checked. It is refused outside
  /// its validity. Returns nil for anything else.
  package init?(_ bytes: [UInt8], now: Timestamp) {
    guard bytes.count <= Self.maximumBytes, let key = Self.key(bytes, now) else { return nil }
    self.key = key
  }

  /// Reads a JSON Web Key; nil if it is unusable.
  package init?(jwk: JSONValue) {
    guard let key = VerificationKey(jwk: jwk) else { return nil }
    self.key = key
  }

  private static func key(_ bytes: [UInt8], _ now: Timestamp) -> VerificationKey? {
    if bytes.count == 32 {
      return VerificationKey(jwk: [
        "kty": "OKP", "crv": "Ed25519", "x": .string(Base64.url.text(bytes)),
      ])
    }
    // DER begins with a sequence; texts do not.
    if bytes.first == 0x30 { return key(der: bytes, now) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    if let json = try? JSONValue(strict: bytes) { return VerificationKey(jwk: json) }
    guard text.contains("-----BEGIN CERTIFICATE") else { return VerificationKey(pem: text) }
    guard let document = try? PEMDocument(pemString: text) else { return nil }
    return key(der: document.derBytes, now)
  }

  private static func key(der bytes: [UInt8], _ now: Timestamp) -> VerificationKey? {
    let key: [UInt8]
    if let certificate = try? CertificateKey(bytes) {
      guard certificate.isValid(at: now) else { return nil }
      key = certificate.publicKey
    } else {
      key = bytes
    }
    return VerificationKey(pem: PEMDocument(type: "PUBLIC KEY", derBytes: key).pemString)
  }

  /// Tells whether a signature is the key's under an algorithm; false if the key is not for the algorithm.
  package func accepts(
    _ signature: [UInt8], of bytes: [UInt8], _ algorithm: SigningAlgorithm, form: Form = .raw
  ) -> Bool {
    guard let checker = key.checkers[algorithm],
      let signature = form == .raw ? signature : Self.raw(signature, algorithm)
    else { return false }
    return checker.accepts(signature, of: bytes[...])
  }

  private static func raw(_ signature: [UInt8], _ algorithm: SigningAlgorithm) -> [UInt8]? {
    switch algorithm {
    case .es256:
      (try? P256.Signing.ECDSASignature(derRepresentation: signature)).map {
        Array($0.rawRepresentation)
      }
    case .es384:
      (try? P384.Signing.ECDSASignature(derRepresentation: signature)).map {
        Array($0.rawRepresentation)
      }
    case .es512:
      (try? P521.Signing.ECDSASignature(derRepresentation: signature)).map {
        Array($0.rawRepresentation)
      }
    default: nil
    }
  }
}
