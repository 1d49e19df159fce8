/// Unguessable and other random texts, from a source of random bits.
enum RandomText {
  static let base62 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  static let base64URL = base62 + Array("-_".utf8)
  /// Crockford's alphabet, lowered: no i, l, o or u to be misread.
  static let base32 = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// 43 letters and digits, some 256 bits: nobody guesses it.
  static func handle(_ random: @escaping @Sendable () -> UInt64) -> String {
    text(43, alphabet: base62, random)
  }

  static func digits(_ count: Int, _ random: @escaping @Sendable () -> UInt64) -> String {
    text(count, alphabet: Array("0123456789".utf8), random)
  }

  static func text(
    _ count: Int, alphabet: [UInt8], _ random: @escaping @Sendable () -> UInt64
  ) -> String {
    var bits = WordSource(source: random)
    let letters = (0..<count).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &bits)]
    }
    return String(decoding: letters, as: UTF8.self)
  }
}

private struct WordSource: RandomNumberGenerator {
  let source: @Sendable () -> UInt64
  mutating func next() -> UInt64 { source() }
}
