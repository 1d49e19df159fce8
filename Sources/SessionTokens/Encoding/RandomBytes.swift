/// Bytes from the system's random numbers, which nobody can guess.
enum RandomBytes {
  static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// A name for something, as a key or an event: digits and the letters a to f.
  static func name(_ byteCount: Int) -> String {
    make(byteCount).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
