extension PasswordHasher {
  /// Says how much work one Argon2id hash takes.
  public struct Cost: Hashable, Sendable {
    public let memoryKiB: Int
    public let iterations: Int
    public let parallelism: Int

    /// Takes what OWASP's Password Storage Cheat Sheet names first: 19 MiB, two passes, one lane.
    public static let owasp = Cost(memoryKiB: 19456, iterations: 2, parallelism: 1)

    /// Holds other numbers: for tests, or for a machine that can do more.
    ///
    /// At least 8 KiB for each lane and at most 1 GiB, 1 to 64 passes, 1 to 16 lanes.
    public init(memoryKiB: Int, iterations: Int, parallelism: Int) {
      precondition(
        Self.isValid(memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism),
        "The cost of Argon2id is out of range.")
      self.memoryKiB = memoryKiB
      self.iterations = iterations
      self.parallelism = parallelism
    }

    static func isValid(memoryKiB: Int, iterations: Int, parallelism: Int) -> Bool {
      (1...16).contains(parallelism) && (1...64).contains(iterations)
        && ((8 * parallelism)...(1 << 20)).contains(memoryKiB)
    }
  }
}
