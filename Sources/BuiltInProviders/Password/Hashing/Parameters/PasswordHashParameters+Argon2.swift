public import Foundation

extension PasswordHashParameters {
  /// The parameters of `ARGON2`, as in Firebase's `argon2Parameters`.
  public struct Argon2: Codable, Hashable, Sendable {
    /// A member of the Argon2 family.
    public enum Variant: String, Codable, CaseIterable, Hashable, Sendable {
      case d = "ARGON2_D"
      case i = "ARGON2_I"
      case id = "ARGON2_ID"
    }

    /// A revision of the Argon2 algorithm.
    public enum Version: String, Codable, CaseIterable, Hashable, Sendable {
      case v10 = "VERSION_10"
      case v13 = "VERSION_13"
    }

    /// The member of the Argon2 family.
    public let variant: Variant
    /// The length of the hash in bytes.
    public let hashLength: Int
    /// The number of passes over the memory.
    public let iterations: Int
    /// The number of lanes.
    public let parallelism: Int
    /// The memory in KiB.
    public let memoryKiB: Int
    /// The revision of the algorithm.
    public let version: Version
    /// Bytes that are hashed with every password.
    public let associatedData: Data?

    /// Takes the values unchecked; the ``PasswordHashParameters`` around them check.
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
