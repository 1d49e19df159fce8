extension PasswordHasher {
  /// The work of one Argon2id hash.
  public struct Cost: Hashable, Sendable {
    /// The memory in KiB.
    public let memoryKiB: Int
    /// The number of passes over the memory.
    public let iterations: Int
    /// The number of lanes.
    public let parallelism: Int

    /// The first recommendation of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
    public static let owasp = Cost(memoryKiB: 19456, iterations: 2, parallelism: 1)

    /// Takes other numbers, for tests or for a larger machine.
    ///
    /// At least 8 KiB for each lane and at most 1 GiB, 1 to 64 passes, 1 to 16 lanes; other numbers are a
    /// programming error.
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
