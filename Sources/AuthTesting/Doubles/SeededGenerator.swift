/// Random numbers that come again with the same seed (SplitMix64).
///
/// Not for secrets. A test prints its seed, so that a failure can be had again.
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// What the generator began with.
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Begins with a seed of the system's, for tests that look somewhere else every time.
  public init() {
    self.init(seed: .random(in: .min ... .max))
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  public var description: String { "seed \(seed)" }
}
