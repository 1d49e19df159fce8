/// Encrypts what the store keeps and nobody may read there: client secrets, TOTP secrets, open codes.
///
/// AuthCore knows no cryptography; who puts AuthGraph together hands an implementation in.
public protocol SecretSealing: Sendable {
  /// Encrypts a text; the same text never looks the same twice.
  ///
  /// - Parameters:
  ///   - text: what to keep secret.
  ///   - purpose: what it is for; it opens for the same purpose only, so that rows cannot be exchanged.
  /// - Returns: printable text.
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
