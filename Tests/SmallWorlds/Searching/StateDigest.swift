import AuthCore

/// Sixteen bytes that two states share if they differ by names alone.
struct StateDigest: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// The digest of bytes; not for secrets.
  init(of bytes: [UInt8]) {
    var (high, low): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9)
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place < bytes.count {
        var word: UInt64 = 0
        for shift in 0..<min(8, bytes.count - place) {
          word |= UInt64(bytes[place + shift]) << (8 * UInt64(shift))
        }
        (high, low) = Self.mixed(high, low, word)
        place += 8
      }
    }
    (self.high, self.low) = Self.mixed(high, low, UInt64(bytes.count))
  }

  private static func mixed(_ high: UInt64, _ low: UInt64, _ word: UInt64) -> (UInt64, UInt64) {
    let first = (high ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    let second = (low ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return (first.high ^ first.low &+ low, second.high ^ second.low &+ high)
  }

  /// The bit of it that says to which of some shards it belongs.
  func shard(of count: Int) -> Int { Int(low % UInt64(count)) }

  static func < (a: StateDigest, b: StateDigest) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
