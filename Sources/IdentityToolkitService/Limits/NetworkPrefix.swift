import Foundation

/// The bytes of a network address, or of its first bits.
package struct NetworkPrefix: Sendable, Hashable {
  package let bytes: [UInt8]
  package let bits: Int

  /// Reads an address such as `10.0.0.1`, or a prefix such as `2001:db8::/32`.
  ///
  /// Returns nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    var bits = bytes.count * 8
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...bits).contains(given) else { return nil }
      bits = given
    }
    self.bytes = bytes
    self.bits = bits
  }

  private init(bytes: [UInt8], bits: Int) {
    self.bytes = bytes
    self.bits = bits
  }

  /// Returns the prefix with all bits after the first `count` set to zero.
  func truncated(to count: Int) -> NetworkPrefix {
    let masked = bytes.enumerated().map { index, byte -> UInt8 in
      let left = count - index * 8
      return left >= 8 ? byte : left <= 0 ? 0 : byte & ~(0xFF >> UInt8(left))
    }
    return NetworkPrefix(bytes: masked, bits: count)
  }

  func contains(_ address: NetworkPrefix) -> Bool {
    address.bytes.count == bytes.count && address.bits >= bits
      && address.truncated(to: bits).bytes == truncated(to: bits).bytes
  }

  /// Reads an address.
  ///
  /// An IPv4 address inside IPv6 (`::ffff:1.2.3.4`) counts as the IPv4 address.
  private static func bytes(of text: String) -> [UInt8]? {
    let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? ""
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes.prefix(4)) }
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return Array(bytes.prefix(12)) == mapped ? Array(bytes.suffix(4)) : bytes
  }
}
