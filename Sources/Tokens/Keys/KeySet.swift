import AuthCore

/// The usable keys of an issuer, by key ID.
struct KeySet: Sendable {
  enum Finding: Sendable {
    case found(FoundKey)
    /// No key has the ID, or the token has none and no key fits.
    case unknown
    /// Several different keys have the ID, or the token has none and several keys fit.
    case ambiguous
    /// The key with that ID has another type, curve or algorithm.
    case unfit
  }

  static let maximumKeys = 100

  private var keys: [VerificationKey] = []
  /// Positions in `keys`; several if an issuer gave one ID to different keys.
  private var positions: [String: [Int]] = [:]
  private var hasNames = false

  /// Reads a JSON Web Key Set; nil if it is malformed or has too many keys.
  ///
  /// Unusable keys are skipped without affecting the others.
  init?(jwks: JSONValue) {
    guard case .array(let members) = jwks["keys"], members.count <= Self.maximumKeys else {
      return nil
    }
    for member in members {
      if let key = VerificationKey(jwk: member) { add(key) }
    }
  }

  /// Reads keys that were given as text; nil if one of them is not a public key.
  init?(texts: [String]) {
    for text in texts {
      if text.contains("-----BEGIN") {
        guard let key = VerificationKey(pem: text) else { return nil }
        add(key)
        continue
      }
      guard let json = try? JSONValue(strict: Array(text.utf8)) else { return nil }
      if json["keys"] != nil {
        guard let set = KeySet(jwks: json) else { return nil }
        set.keys.forEach { add($0) }
      } else {
        guard let key = VerificationKey(jwk: json) else { return nil }
        add(key)
      }
    }
  }

  private mutating func add(_ key: VerificationKey) {
    let name = key.id ?? ""
    hasNames = hasNames || key.id != nil
    if let same = positions[name, default: []].first(where: { keys[$0].material == key.material }) {
      keys[same] = keys[same].merging(key)
      return
    }
    positions[name, default: []].append(keys.count)
    keys.append(key)
  }

  /// Finds the one key that may have signed a token.
  ///
  /// If no key of the set has an ID, the token's key ID is ignored.
  func find(_ id: String?, _ algorithm: SigningAlgorithm) -> Finding {
    guard let id, hasNames else {
      let fitting = keys.compactMap { FoundKey($0, algorithm) }
      return fitting.count > 1 ? .ambiguous : fitting.first.map(Finding.found) ?? .unknown
    }
    let named = positions[id, default: []].map { keys[$0] }
    guard let key = named.first, key.id?.isExactly(id) == true else { return .unknown }
    guard named.count == 1 else { return .ambiguous }
    return FoundKey(key, algorithm).map(Finding.found) ?? .unfit
  }
}

/// The one key of a set that may have signed a token.
struct FoundKey: Sendable {
  let checker: SignatureChecker
  /// The issuers whose tokens the key signs; nil for any.
  let issuers: Set<String>?

  init?(_ key: VerificationKey, _ algorithm: SigningAlgorithm) {
    guard let checker = key.checkers[algorithm] else { return nil }
    self.checker = checker
    issuers = key.issuers
  }
}
