public import AuthCore
import Crypto
import Foundation

/// The public key of a person or company that signs bundles: Ed25519 (RFC 8032), written `ed25519:BASE64`.
public struct BundleKey: Sendable, Hashable, CustomStringConvertible {
  private static let prefix = "ed25519:"

  private let bytes: Data

  /// Reads a key; throws `invalid-argument` with the field, and without the text, which may be a secret key.
  public init(_ text: String, field: String = "key") throws(AuthError) {
    let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard plain.hasPrefix(Self.prefix),
      let bytes = Data(base64Encoded: String(plain.dropFirst(Self.prefix.count))),
      (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil
    else {
      throw AuthError(
        .invalidArgument, "A key is no public key.", field: field,
        remedy: "Write ed25519: and the 32 bytes in base64, as authgraph plugin keygen prints it.")
    }
    self.bytes = bytes
  }

  fileprivate init(bytes: Data) { self.bytes = bytes }

  /// The key as it is written.
  public var description: String { Self.prefix + bytes.base64EncodedString() }

  /// Tells whether a signature of the message is this key's.
  func verifies(_ signature: Data, of message: Data) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
      return false
    }
    return key.isValidSignature(signature, for: message)
  }
}

/// The secret key that signs bundles, written `ed25519-secret:BASE64`.
public struct BundleSigningKey: Sendable {
  private static let prefix = "ed25519-secret:"

  private let key: Curve25519.Signing.PrivateKey

  /// Makes a new key.
  public init() { key = Curve25519.Signing.PrivateKey() }

  /// Reads the text of a key file; throws `invalid-argument`, without the text, if it is none.
  public init(fileText text: String) throws(AuthError) {
    let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard plain.hasPrefix(Self.prefix),
      let bytes = Data(base64Encoded: String(plain.dropFirst(Self.prefix.count))),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    else {
      throw AuthError(
        .invalidArgument, "The file has no secret key.", field: "key",
        remedy: "Make one with authgraph plugin keygen FILE.")
    }
    self.key = key
  }

  /// The text of a key file.
  public var fileText: String {
    Self.prefix + key.rawRepresentation.base64EncodedString() + "\n"
  }

  /// The public key.
  public var publicKey: BundleKey { BundleKey(bytes: key.publicKey.rawRepresentation) }

  func signature(of message: Data) throws(AuthError) -> Data {
    do {
      return try key.signature(for: message)
    } catch {
      throw AuthError(
        .invalidArgument, "The key cannot sign.", field: "key", remedy: "Make a new key.",
        cause: error)
    }
  }
}
