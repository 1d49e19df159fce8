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
  /// Whether only admins meet its errors, which then name the key and its file.
  var isForAdmins: Bool { get }
}

extension SecretSealing {
  public var isForAdmins: Bool { false }
}

/// Keeps nothing: for a graph that has no key.
struct NoSealing: SecretSealing {
  func seal(_ text: String, for purpose: String) throws -> String { throw Self.missing }
  func open(_ sealed: String, for purpose: String) throws -> String { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "There is no key to keep secrets with.",
    remedy: "Give the graph a key file.")
}

/// Keeps what is wrong with the key, such as where it lies, in the cause of the error.
struct QuietSealing: SecretSealing {
  let secrets: any SecretSealing

  func seal(_ text: String, for purpose: String) throws -> String {
    try quietly { try secrets.seal(text, for: purpose) }
  }

  func open(_ sealed: String, for purpose: String) throws -> String {
    try quietly { try secrets.open(sealed, for: purpose) }
  }

  private func quietly(_ body: () throws -> String) throws -> String {
    do {
      return try body()
    } catch let error as AuthError {
      throw AuthError(
        .internalError, "The secrets of the store cannot be read.",
        remedy: "An admin has to look after the key file.", cause: error)
    }
  }
}
