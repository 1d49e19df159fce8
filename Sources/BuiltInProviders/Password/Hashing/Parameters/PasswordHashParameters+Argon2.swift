public import Foundation

extension PasswordHashParameters {
  /// Holds what `ARGON2` needs, as Firebase's `argon2Parameters` does.
  public struct Argon2: Codable, Hashable, Sendable {
    /// Names a member of the Argon2 family.
    public enum Variant: String, Codable, CaseIterable, Hashable, Sendable {
      case d = "ARGON2_D"
      case i = "ARGON2_I"
      case id = "ARGON2_ID"
    }

    /// Names a revision of the Argon2 algorithm.
    public enum Version: String, Codable, CaseIterable, Hashable, Sendable {
      case v10 = "VERSION_10"
      case v13 = "VERSION_13"
    }

    public let variant: Variant
    public let hashLength: Int
    public let iterations: Int
    public let parallelism: Int
    public let memoryKiB: Int
    public let version: Version
    public let associatedData: Data?

    /// Holds the values unchecked; the ``PasswordHashParameters`` around them check.
    public init(
      variant: Variant, hashLength: Int, iterations: Int, parallelism: Int, memoryKiB: Int,
      version: Version = .v13, associatedData: Data? = nil
    ) {
      self.variant = variant
      self.hashLength = hashLength
      self.iterations = iterations
      self.parallelism = parallelism
      self.memoryKiB = memoryKiB
      self.version = version
      self.associatedData = associatedData
    }
  }
}
