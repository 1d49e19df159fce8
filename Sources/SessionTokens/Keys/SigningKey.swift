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

  /// Signs claims, as JSON, of a session that began at a moment, away from whatever actor the caller is on: RSA takes half a
  /// millisecond.
  @concurrent func sign(
    _ claims: [UInt8], _ authTime: Timestamp, ofSession names: [String] = []
  ) async throws -> String {
    let header = CompactHeader.encoded(
      algorithm: algorithm.rawValue, keyID: id, authTime: authTime, sessionClaims: names)
    let signed = CompactToken.signedPart(header: header, claims: claims)
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
    return CompactToken.text(signedPart: signed, signature: signature)
  }

  /// Whether the key signed a token, whatever its header says.
  func didSign(_ token: CompactToken) -> Bool {
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
        members["n"] = .string(Base64URL.text(Array(numbers.modulus)))
        members["e"] = .string(Base64URL.text(Array(numbers.publicExponent)))
      case .p256(_, let key):
        let point = Array(key.rawRepresentation)
        members["kty"] = "EC"
        members["crv"] = "P-256"
        members["x"] = .string(Base64URL.text(Array(point[..<32])))
        members["y"] = .string(Base64URL.text(Array(point[32...])))
      }
      return .object(members)
    }
  }
}

/// The first part of a token.
enum CompactHeader {
  /// The name that the moment of sign-in in milliseconds has.
  ///
  /// The claim `auth_time` has whole seconds, and a session that began in the second in which another one was
  /// ended could not be told from that one. It stands in the header of signed tokens, so that the claims are
  /// exactly Firebase's; verifiers ignore members that they do not know (RFC 7515 section 4.3).
  static let exactAuthTime = "auth_time_ms"
  /// The name of the list of claims that are the session's own.
  ///
  /// Without it, one that an admin took from the account could not be told from one of the session, and whoever
  /// goes on with the token would keep it.
  static let sessionClaims = "session_claims"

  static func encoded(
    algorithm: String, keyID: String? = nil, authTime: Timestamp? = nil,
    sessionClaims names: [String] = []
  ) -> [UInt8] {
    var members: [String: JSONValue] = ["alg": .string(algorithm), "typ": "JWT"]
    members["kid"] = keyID.map(JSONValue.string)
    members[exactAuthTime] = authTime.map { .integer($0.milliseconds) }
    if !names.isEmpty { members[sessionClaims] = .array(names.map(JSONValue.string)) }
    var bytes: [UInt8] = []
    Base64URL.append(JSONWriter.bytes(of: .object(members)), to: &bytes)
    return bytes
  }
}
