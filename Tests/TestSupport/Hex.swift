public import Foundation

extension Data {
  /// Reads pairs of hexadecimal digits.
  public init(hex: String) {
    let digits = Array(hex)
    self.init(
      stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
        UInt8(String(digits[place...(place + 1)]), radix: 16)
      })
  }
}
