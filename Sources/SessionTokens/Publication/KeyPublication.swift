public import AuthCore

/// The public keys and metadata of a project, with which others verify its tokens.
///
/// A key is published before it signs, and for as long as any of its tokens is valid.
public struct KeyPublication: Sendable {
  private let keys: SigningKeys
  private let algorithm: SigningAlgorithm?
  private let issuerPrefix: String
  private let clock: @Sendable () -> Timestamp

  init(
    keys: SigningKeys, algorithm: SigningAlgorithm?, issuerPrefix: String,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.keys = keys
    self.algorithm = algorithm
    self.issuerPrefix = issuerPrefix
    self.clock = clock
  }

  /// The value of the `Cache-Control` header for these answers.
  public var cacheControl: String {
    "public, max-age=\(keys.maximumAge), must-revalidate, no-transform"
  }

  /// Returns the keys as a JWK set (RFC 7517 section 5).
  public func keySet(_ use: KeyUse, project: String) async throws -> JSONValue {
    let keys = try await published(use, project: project)
    return ["keys": .array(keys.map(\.key.jwk))]
  }

  /// Returns the keys as X.509 certificates in PEM, by key ID.
  public func certificates(_ use: KeyUse, project: String) async throws -> JSONValue {
    let keys = try await published(use, project: project)
    return .object(
      Dictionary(
        keys.map { ($0.key.keyID, .string($0.certificate)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the issuer's metadata (OpenID Connect Discovery 1.0 section 3), with the URL of its JWK set.
  ///
  /// The issuer is the configuration's `issuerPrefix` followed by the project, and clients look for the metadata under
  /// that URL. With Firebase's prefix they cannot find it there, and verify tokens with the key set alone.
  public func discovery(project: String, keySetURL: String) -> JSONValue {
    [
      "issuer": .string(issuerPrefix + project),
      "jwks_uri": .string(keySetURL),
      "response_types_supported": ["id_token"],
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": .array(
        algorithm.map { [.string($0.rawValue)] } ?? []),
      "claims_supported": [
        "aud", "auth_time", "email", "email_verified", "exp", "firebase", "iat", "iss", "name",
        "phone_number", "picture", "sub", "user_id",
      ],
    ]
  }

  /// Makes the first key if there is none: clients would cache an empty set for an hour.
  private func published(
    _ use: KeyUse, project: String
  ) async throws -> [(key: SigningKey, certificate: String)] {
    let set = try await keys.cache.set(
      KeySlot(project: project, use: use), toSignWith: algorithm)
    return set.published(use, at: clock()).sorted { $0.key.keyID < $1.key.keyID }
  }
}

extension TokenService {
  /// The public keys of this service; empty in unsigned style if nothing was ever signed.
  public var publication: KeyPublication {
    var algorithm: SigningAlgorithm?
    if case .signed(let own) = style { algorithm = own }
    return KeyPublication(
      keys: keys, algorithm: algorithm, issuerPrefix: configuration.issuerPrefix, clock: clock)
  }
}
