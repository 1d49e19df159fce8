import AuthCore

/// The public keys of one issuer, by their IDs.
struct KeySet: Sendable {
  /// More keys than any issuer has at once; what comes behind is not read.
  static let maximumKeys = 100

  private var keys: [PublicKey] = []

  /// Reads the keys that sign ID tokens; others in the set are passed over.
  init(_ list: [JSONValue]) async {
    for json in list.prefix(Self.maximumKeys) {
      if let key = await PublicKey(json) { keys.append(key) }
    }
  }

  /// Reads a JSON Web Key Set; nil where the answer is none.
  init?(_ answer: JSONValue?) async {
    guard case .array(let list)? = answer?["keys"] else { return nil }
    await self.init(list)
  }

  func has(_ id: String?) -> Bool {
    guard let id else { return !keys.isEmpty }
    return keys.contains { $0.id == id }
  }

  /// The one key for a token.
  ///
  /// Throws `invalid-credential` naming `kid` where there is none or the choice is not clear, or `alg` where the
  /// key is of another type.
  func key(for id: String?, _ algorithm: SigningAlgorithm) throws(AuthError) -> PublicKey {
    let named = keys.filter { id == nil || $0.id == id }
    guard let first = named.first else { throw .untrusted("nobody knows its key", "kid") }
    let fitting = named.filter { $0.algorithms.contains(algorithm) }
    if id != nil, named.contains(where: { $0.material != first.material }) {
      throw .untrusted("two keys have the name of its key", "kid")
    }
    guard let key = fitting.first else {
      throw .untrusted("its key is of another type than its algorithm", "alg")
    }
    if id == nil, fitting.contains(where: { $0.material != key.material }) {
      throw .untrusted("it does not say which key it is signed with", "kid")
    }
    return key
  }
}
