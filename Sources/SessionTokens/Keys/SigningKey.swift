import AuthCore
import BuiltInProviders
import Crypto
import CryptoExtras

/// A private key that is ready to sign, and to check what it signed.
struct SigningKey: Sendable {
  private enum Material: Sendable {
    case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.PublicKey)
    case p256(P256.Signing.PrivateKey, P256.Signing.PublicKey)
  }

  let id: String
  let algorithm: SigningAlgorithm
  private let material: Material

  /// Reads a key that was kept.
  ///
  /// - Throws: `internal-error` where the text is no key of its algorithm.
  init(_ stored: StoredKey) throws(AuthError) {
    do {
      switch stored.algorithm {
      case .rs256:
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: stored.privateKey)
        material = .rsa(key, key.publicKey)
      case .es256:
        let key = try P256.Signing.PrivateKey(pemRepresentation: stored.privateKey)
        material = .p256(key, key.publicKey)
      }
    } catch {
      throw AuthError(
        .internalError, "The signing key \(stored.id) is damaged.",
        remedy: "Bring the store back from a backup, or rotate the keys.", step: .token)
    }
    id = stored.id
    algorithm = stored.algorithm
  }

  /// Signs claims, as JSON, of a session, away from whatever actor the caller is on: RSA takes half a millisecond.
  @concurrent func sign(_ claims: [UInt8], _ session: SessionHeader) async throws -> String {
    let header = CompactHeader.encoded(
      algorithm: algorithm.rawValue, keyID: id, session: session)
    let signed = TokenParts.signedPart(header: header, claims: claims)
    let signature: [UInt8] =
      switch material {
      case .rsa(let key, _):
        // RS256 is PKCS #1 v1.5 (RFC 7518 section 3.3).
        Array(
          try key.signature(for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      case .p256(let key, _):
        Array(try key.signature(for: SHA256.hash(data: signed)).rawRepresentation)
      }
    return TokenParts.text(signedPart: signed, signature: signature)
  }

  /// Whether the key signed a token, whatever its header says.
  func didSign(_ token: UncheckedIDToken) -> Bool {
    let digest = SHA256.hash(data: token.signedPart)
    switch material {
    case .rsa(_, let key):
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: token.signature), for: digest,
        padding: .insecurePKCS1v1_5)
    case .p256(_, let key):
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.isValidSignature(signature, for: digest)
    }
  }

  /// The public key as a JSON Web Key (RFC 7517).
  var jwk: JSONValue {
    get throws {
      var members: [String: JSONValue] = [
        "kid": .string(id), "alg": .string(algorithm.rawValue), "use": "sig",
      ]
      switch material {
      case .rsa(_, let key):
        let numbers = try key.getKeyPrimitives()
        members["kty"] = "RSA"
        members["n"] = .string(Base64.url.text(Array(numbers.modulus)))
        members["e"] = .string(Base64.url.text(Array(numbers.publicExponent)))
      case .p256(_, let key):
        let point = Array(key.rawRepresentation)
        members["kty"] = "EC"
        members["crv"] = "P-256"
        members["x"] = .string(Base64.url.text(Array(point[..<32])))
        members["y"] = .string(Base64.url.text(Array(point[32...])))
      }
      return .object(members)
    }
  }
}

/// The first part of a token.
enum CompactHeader {
  static func encoded(
    algorithm: String, keyID: String? = nil, session: SessionHeader? = nil
  ) -> [UInt8] {
    var members: [String: JSONValue] = ["alg": .string(algorithm), "typ": "JWT"]
    members["kid"] = keyID.map(JSONValue.string)
    session?.add(to: &members)
    var bytes: [UInt8] = []
    Base64.url.append(JSONWriter.bytes(of: .object(members)), to: &bytes)
    return bytes
  }
}
