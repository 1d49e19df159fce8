import Crypto
import CryptoExtras

/// Checks the signatures of one public key under one algorithm (RFC 7518 section 3, RFC 8037).
package struct SignatureChecker: Sendable {
  /// The check of a signature, in the form of a token, against the bytes that it signs.
  private let accepts: @Sendable ([UInt8], ArraySlice<UInt8>) -> Bool

  private init(_ accepts: @escaping @Sendable ([UInt8], ArraySlice<UInt8>) -> Bool) {
    self.accepts = accepts
  }

  /// Tells whether the signature is the key's; a signature of a wrong length is not.
  package func accepts(_ signature: [UInt8], of text: ArraySlice<UInt8>) -> Bool {
    accepts(signature, text)
  }

  static func rsa<Hash: HashFunction>(
    _ key: _RSA.Signing.PublicKey, _ padding: _RSA.Signing.Padding, _ hash: Hash.Type
  ) -> Self {
    Self { signature, text in
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: Hash.hash(data: text),
        padding: padding)
    }
  }

  static func p256(_ key: P256.Signing.PublicKey) -> Self {
    Self { signature, text in
      guard let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(pair, for: SHA256.hash(data: text))
    }
  }

  static func p384(_ key: P384.Signing.PublicKey) -> Self {
    Self { signature, text in
      guard let pair = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(pair, for: SHA384.hash(data: text))
    }
  }

  static func p521(_ key: P521.Signing.PublicKey) -> Self {
    Self { signature, text in
      guard let pair = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(pair, for: SHA512.hash(data: text))
    }
  }

  static func ed25519(_ key: Curve25519.Signing.PublicKey) -> Self {
    Self { signature, text in key.isValidSignature(signature, for: text) }
  }
}
