import AuthCore

/// A digest of sixteen bytes, the same for states that differ only in names.
struct StateDigest: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Hashes words; not for secrets.
  init(of words: [UInt64]) {
    var (high, low): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9)
    for word in words { (high, low) = Self.mixed(high, low, word) }
    (self.high, self.low) = Self.mixed(high, low, UInt64(words.count))
  }

  /// Half of the digest.
  var short: UInt64 { low }

  private static func mixed(_ high: UInt64, _ low: UInt64, _ word: UInt64) -> (UInt64, UInt64) {
    let first = (high ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    let second = (low ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return (first.high ^ first.low &+ low, second.high ^ second.low &+ high)
  }

  /// Returns the index of the digest's shard.
  func shard(of count: Int) -> Int { Int(low % UInt64(count)) }

  static func < (a: StateDigest, b: StateDigest) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
