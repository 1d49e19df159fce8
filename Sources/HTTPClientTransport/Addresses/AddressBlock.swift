/// A range of addresses, written as `10.0.0.0/8`.
package struct AddressBlock: Hashable, Sendable {
  let first: IPAddress
  let prefixLength: Int

  /// Parses a block; nil if it is malformed or its prefix is longer than an address.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = IPAddress(String(parts[0])), parts.count <= 2 else { return nil }
    let full = first.bytes.count * 8
    guard let length = parts.count == 2 ? Int(parts[1]) : full, (0...full).contains(length) else {
      return nil
    }
    self.first = first
    prefixLength = length
  }

  package func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == first.bytes.count else { return false }
    let whole = prefixLength / 8
    guard address.bytes[..<whole] == first.bytes[..<whole] else { return false }
    let rest = prefixLength % 8
    return rest == 0 || (address.bytes[whole] ^ first.bytes[whole]) >> UInt8(8 - rest) == 0
  }
}
