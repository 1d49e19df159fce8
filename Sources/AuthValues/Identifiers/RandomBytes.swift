/// Unguessable bytes from the system's random numbers.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Makes a random name of lower-case hexadecimal digits, two for each byte; for keys and events.
  package static func name(_ byteCount: Int) -> String { make(byteCount).hexadecimal }
}
