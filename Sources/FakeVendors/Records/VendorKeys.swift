package import AuthCore
import NIOConcurrencyHelpers

/// The keys that a vendor signs with, and its published key set.
package final class VendorKeys: Sendable {
  private struct Contents {
    var current: SigningKey?
    var others: [SigningKey] = []
    var count = 0
  }

  private let name: String
  private let algorithm: SigningAlgorithm
  private let contents = NIOLockedValueBox(Contents())

  package init(name: String, algorithm: SigningAlgorithm) {
    self.name = name
    self.algorithm = algorithm
  }

  /// An attacker's key under the given key ID.
  static func attacker(keyID: String) throws -> SigningKey {
    try .shared(-1, keyID: keyID)
  }

  /// The current signing key, made on first use.
  package func current() throws -> SigningKey {
    try contents.withLockedValue { try current(of: &$0) }
  }

  /// Signs with a new key from now on.
  func rotate(keepingOld: Bool) throws {
    try contents.withLockedValue { contents in
      let old = try current(of: &contents)
      contents.others = keepingOld ? contents.others + [old] : []
      contents.current = nil
      _ = try current(of: &contents)
    }
  }

  func dropOthers() {
    contents.withLockedValue { $0.others = [] }
  }

  /// Lists another key beside the vendor's own.
  func publish(_ key: SigningKey) {
    contents.withLockedValue { $0.others.append(key) }
  }

  /// The public keys as a JWK set.
  package func published() throws -> JSONValue {
    try contents.withLockedValue { contents in
      let keys = [try current(of: &contents)] + contents.others
      return ["keys": .array(keys.map(\.jwk))]
    }
  }

  private func current(of contents: inout Contents) throws -> SigningKey {
    if let key = contents.current { return key }
    contents.count += 1
    let keyID = "\(name)-\(contents.count)"
    let key: SigningKey =
      switch algorithm {
      // Three are enough for a rotation to bring a key that no cache has.
      case .rs256: try .shared(contents.count % 3, keyID: keyID)
      case .es256: .p256(keyID: keyID)
      default:
        throw AuthError(
          .operationNotAllowed, "Fake vendors have no keys for \(algorithm.rawValue).",
          field: "algorithm",
          remedy: suggestion(
            for: algorithm.rawValue, among: SigningKey.algorithms.map(\.rawValue)))
      }
    contents.current = key
    return key
  }
}
