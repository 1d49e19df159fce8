/// A generator of reproducible random numbers (SplitMix64).
///
/// It is not for secrets. A test prints its seed, so that a failure can be reproduced.
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// The seed of the generator.
  public let seed: UInt64
  private var state: UInt64

  /// Makes a generator of a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Makes a generator of a random seed, for tests that vary with each run.
  public init() {
    self.init(seed: .random(in: .min ... .max))
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The seed as a text.
  public var description: String { "seed \(seed)" }
}
