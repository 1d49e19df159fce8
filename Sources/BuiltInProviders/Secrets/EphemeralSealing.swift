public import AuthCore

/// Seals with a key that only this process has; for stores that are gone with it as well.
public struct EphemeralSealing: SecretSealing {
  private let key = SealingKey()

  public init() {}

  public func seal(_ text: String, for purpose: String) throws -> String {
    try key.seal(text, for: purpose)
  }

  public func open(_ sealed: String, for purpose: String) throws -> String {
    try key.open(sealed, for: purpose, keeper: "the key of this process")
  }
}
