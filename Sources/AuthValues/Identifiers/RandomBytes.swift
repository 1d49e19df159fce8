/// Bytes from the system's random numbers, which nobody can guess.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// A name for something, as a key or an event: digits and the letters a to f.
  package static func name(_ byteCount: Int) -> String { make(byteCount).hexadecimal }
}
