/// Random text from a source of random bits.
package enum RandomText {
  package static let base62 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  package static let base64URL = base62 + Array("-_".utf8)
  /// Crockford's base-32 alphabet in lower case, without the easily misread i, l, o and u.
  package static let base32 = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// Makes an unguessable handle: 43 letters and digits, about 256 bits.
  package static func handle(_ random: @escaping @Sendable () -> UInt64) -> String {
    text(43, alphabet: base62, random)
  }

  /// Makes unguessable letters and digits from the system's random numbers.
  package static func letters(_ count: Int) -> String {
    text(count, alphabet: base62) { UInt64.random(in: .min ... .max) }
  }

  package static func digits(_ count: Int, _ random: @escaping @Sendable () -> UInt64) -> String {
    text(count, alphabet: Array("0123456789".utf8), random)
  }

  package static func text(
    _ count: Int, alphabet: [UInt8], _ random: @escaping @Sendable () -> UInt64
  ) -> String {
    String(unsafeUninitializedCapacity: count) { letters in
      fill(UnsafeMutableBufferPointer(rebasing: letters[..<count]), alphabet: alphabet, random)
      return count
    }
  }

  /// Writes random letters of an alphabet to uninitialised memory.
  package static func fill(
    _ letters: UnsafeMutableBufferPointer<UInt8>, alphabet: [UInt8],
    _ random: @escaping @Sendable () -> UInt64
  ) {
    var bits = LetterSource(alphabet: alphabet, random: random)
    for place in letters.indices { letters.initializeElement(at: place, to: bits.next()) }
  }
}

/// A source of letters that uses all 64 random bits of each draw, because drawing is the expensive part.
private struct LetterSource {
  private let alphabet: [UInt8]
  private let random: @Sendable () -> UInt64
  private let letters: Int
  /// The greatest multiple of the number of texts; larger draws are rejected, so that all texts are equally likely.
  private let bound: UInt64
  private var value: UInt64 = 0
  private var left = 0

  init(alphabet: [UInt8], random: @escaping @Sendable () -> UInt64) {
    self.alphabet = alphabet
    self.random = random
    let base = UInt64(alphabet.count)
    var (texts, letters) = (base, 1)
    while case (let more, false) = texts.multipliedReportingOverflow(by: base) {
      (texts, letters) = (more, letters + 1)
    }
    self.letters = letters
    bound = UInt64.max / texts * texts
  }

  mutating func next() -> UInt8 {
    if left == 0 {
      repeat { value = random() } while value >= bound
      left = letters
    }
    left -= 1
    let base = UInt64(alphabet.count)
    defer { value /= base }
    return alphabet[Int(value % base)]
  }
}
