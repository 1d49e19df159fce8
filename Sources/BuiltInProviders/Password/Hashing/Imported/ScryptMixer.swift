/// Mixes one block through a large table (scryptROMix of RFC 7914).
struct ScryptMixer {
  private let n: Int
  private let width: Int  // 32-bit words in a block
  private var table: [UInt32]
  private var scratch: [UInt32]

  init(n: Int, r: Int) {
    self.n = n
    width = 32 * r
    table = [UInt32](repeating: 0, count: n * width)
    scratch = [UInt32](repeating: 0, count: width)
  }

  mutating func mix(_ block: [UInt32]) -> [UInt32] {
    var block = block
    for index in 0..<n {
      for word in 0..<width { table[index * width + word] = block[word] }
      mixBlock(&block)
    }
    for _ in 0..<n {
      let index = Int(block[width - 16]) & (n - 1)
      for word in 0..<width { block[word] ^= table[index * width + word] }
      mixBlock(&block)
    }
    return block
  }

  /// Chains Salsa20/8 over the 64-byte pieces, even results first (scryptBlockMix).
  private mutating func mixBlock(_ block: inout [UInt32]) {
    let pieces = width / 16
    var state = Array(block[(width - 16)...])
    for piece in 0..<pieces {
      for word in 0..<16 { state[word] ^= block[piece * 16 + word] }
      Self.salsa(&state)
      let target = (piece / 2 + (piece % 2) * (pieces / 2)) * 16
      for word in 0..<16 { scratch[target + word] = state[word] }
    }
    swap(&block, &scratch)
  }

  private static let quarters = [
    (0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11),
    (0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14),
  ]

  private static func salsa(_ state: inout [UInt32]) {
    var x = state
    for _ in 0..<4 {
      for (a, b, c, d) in quarters {
        x[b] ^= rotated(x[a] &+ x[d], 7)
        x[c] ^= rotated(x[b] &+ x[a], 9)
        x[d] ^= rotated(x[c] &+ x[b], 13)
        x[a] ^= rotated(x[d] &+ x[c], 18)
      }
    }
    for word in 0..<16 { state[word] &+= x[word] }
  }

  private static func rotated(_ value: UInt32, _ bits: UInt32) -> UInt32 {
    value << bits | value >> (32 - bits)
  }
}
