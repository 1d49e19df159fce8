public import AuthCore

/// Seals with a key that only this process has, for stores that end with the process.
public struct EphemeralSealing: SecretSealing {
  private let key = SealingKey()

  /// Makes a new key.
  public init() {}

  /// Encrypts a text for a purpose.
  public func seal(_ text: String, for purpose: String) throws -> String {
    try key.seal(text, for: purpose)
  }

  /// Decrypts a text; throws `internal-error` if it was changed or sealed for another purpose.
  public func open(_ sealed: String, for purpose: String) throws -> String {
    try key.open(sealed, for: purpose, keeper: "the key of this process")
  }
}
