/// The reason for which a password could not be hashed or checked at all.
///
/// A wrong password is not an error but ``PasswordHasher/Verification/mismatch``. No text contains a password, a
/// key, a salt or a hash.
public struct PasswordHasherError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    case passwordTooLong = "password-too-long"
    case malformedHash = "malformed-hash"
    case unknownParameters = "unknown-parameters"
    case computationFailed = "computation-failed"
  }

  /// The kind of failure.
  public let code: Code
  /// The reason, in one sentence.
  public let message: String
  /// The remedy, in one sentence.
  public let remedy: String

  /// The code, the reason and the remedy.
  public var description: String { "\(code.rawValue): \(message) \(remedy)" }

  static func malformed(
    _ message: String,
    remedy: String = "Import the account again, or have its owner reset the password."
  ) -> PasswordHasherError {
    PasswordHasherError(code: .malformedHash, message: message, remedy: remedy)
  }

  static func unknownParameters(_ id: String) -> PasswordHasherError {
    PasswordHasherError(
      code: .unknownParameters, message: "The project has no hash parameters \(id).",
      remedy: "Import the file again with its hash options, or have the owner reset the password.")
  }

  static func failed(_ algorithm: String) -> PasswordHasherError {
    PasswordHasherError(
      code: .computationFailed, message: "\(algorithm) could not be computed.",
      remedy: "Check that the machine has memory left.")
  }
}
