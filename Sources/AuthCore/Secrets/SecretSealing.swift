/// Encrypts what the store keeps and nobody may read there: client secrets, TOTP secrets, open codes.
///
/// AuthCore knows no cryptography; who puts AuthGraph together hands an implementation in.
public protocol SecretSealing: Sendable {
  /// Encrypts a text as printable text; the same text never looks the same twice.
  ///
  /// It opens for the same purpose only, so that rows cannot be exchanged. Throws `store-unavailable` where
  /// the key cannot be read or made.
  func seal(_ text: String, for purpose: String) throws -> String
  /// Decrypts a text; throws `internal-error` where it was changed, or sealed with another key or purpose.
  func open(_ sealed: String, for purpose: String) throws -> String
}

/// Keeps nothing: for a graph that has no key.
struct NoSealing: SecretSealing {
  func seal(_ text: String, for purpose: String) throws -> String { throw Self.missing }
  func open(_ sealed: String, for purpose: String) throws -> String { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "There is no key to keep secrets with.",
    remedy: "Give the graph a key file.")
}
