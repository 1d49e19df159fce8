/// Encrypts stored secrets: client secrets, TOTP secrets and open codes.
///
/// AuthCore contains no cryptography, so the app that builds a graph passes an implementation in.
public protocol SecretSealing: Sendable {
  /// Encrypts a text as printable text; the same text never encrypts to the same result twice.
  ///
  /// The result opens only for the same purpose, so that rows cannot be exchanged. Throws `store-unavailable` if the
  /// key cannot be read or made.
  func seal(_ text: String, for purpose: String) throws -> String
  /// Decrypts a text; throws `internal-error` if it was changed, or sealed with another key or purpose.
  func open(_ sealed: String, for purpose: String) throws -> String
  /// True if only admins see its errors, which then name the key and its file.
  var isForAdmins: Bool { get }
}

extension SecretSealing {
  /// False: errors do not name the key.
  public var isForAdmins: Bool { false }
}

/// The sealing of a graph without a key; it refuses every call.
struct NoSealing: SecretSealing {
  func seal(_ text: String, for purpose: String) throws -> String { throw Self.missing }
  func open(_ sealed: String, for purpose: String) throws -> String { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "There is no key to seal secrets with.",
    remedy: "Name a key file by --key-file, or pass GraphServices(secrets:).")
}

/// A sealing that hides the details of errors, such as the key's file, in their causes.
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
        remedy: "An admin has to check the key file with: authgraph doctor", cause: error)
    }
  }
}
