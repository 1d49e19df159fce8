import AuthCore
import BuiltInProviders

/// A private key that is ready to sign and to verify its signatures.
struct SigningKey: Sendable {
  let id: String
  private let signer: TokenSigner
  private let checker: SignatureChecker

  /// Reads a stored key.
  ///
  /// - Throws: `internal-error` if the text is no key of its algorithm.
  init(_ stored: StoredKey) throws(AuthError) {
    guard let signer = TokenSigner(pem: stored.privateKey), signer.algorithm == stored.algorithm
    else {
      throw AuthError(
        .internalError, "The signing key \(stored.id) is damaged.",
        remedy: "Bring the store back from a backup, or rotate the keys.", step: .token)
    }
    id = stored.id
    self.signer = signer
    checker = signer.checker
  }

  var algorithm: SigningAlgorithm { signer.algorithm }

  /// Signs a session's claims, given as JSON, off the caller's actor, because RSA takes half a millisecond.
  @concurrent func sign(_ claims: [UInt8], _ session: SessionHeader) async throws -> String {
    let header = CompactHeader.encoded(
      algorithm: algorithm.rawValue, keyID: id, session: session)
    let signed = TokenParts.signedPart(header: header, claims: claims)
    return TokenParts.text(signedPart: signed, signature: try signer.signature(of: signed))
  }

  /// Tells if the key signed a token, regardless of the token's header.
  func didSign(_ token: UncheckedIDToken) -> Bool {
    checker.accepts(token.signature, of: token.signedPart)
  }

  /// The public key as a JSON Web Key (RFC 7517).
  var jwk: JSONValue {
    get throws { try signer.publicKey.named(id) }
  }
}

/// The header, which is the first part of a token.
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
