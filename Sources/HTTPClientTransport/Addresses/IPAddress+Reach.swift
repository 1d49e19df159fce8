extension IPAddress {
  /// True if the address belongs to the open internet.
  ///
  /// Every other address is refused: those in IANA's registries of special-purpose addresses (RFC 6890), multicast,
  /// and IPv6 outside of global unicast. An IPv6 address that a translator or a tunnel turns into an IPv4 address
  /// is as public as the IPv4 address.
  package var isPublic: Bool {
    guard !isIPv4 else { return !Self.closedIPv4.contains { $0.contains(self) } }
    if Self.translated?.contains(self) == true { return embedded(at: 12)?.isPublic == true }
    guard Self.globalUnicast?.contains(self) == true else { return false }
    if Self.sixToFour?.contains(self) == true { return embedded(at: 2)?.isPublic == true }
    if Self.teredo?.contains(self) == true {
      // RFC 4380: the server is stored plainly, the client with every bit inverted.
      return embedded(at: 4)?.isPublic == true && embedded(at: 12, mask: 0xFF)?.isPublic == true
    }
    return !Self.closedIPv6.contains { $0.contains(self) }
  }

  private func embedded(at offset: Int, mask: UInt8 = 0) -> IPAddress? {
    IPAddress(bytes: bytes[offset..<offset + 4].map { $0 ^ mask })
  }

  private static let closedIPv4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    // The host of Azure's virtual machines, which answers only inside them.
    "168.63.129.16/32",
  ].compactMap(AddressBlock.init)

  private static let globalUnicast = AddressBlock("2000::/3")
  private static let translated = AddressBlock("64:ff9b::/96")
  private static let sixToFour = AddressBlock("2002::/16")
  private static let teredo = AddressBlock("2001::/32")
  private static let closedIPv6 = ["2001::/23", "2001:db8::/32", "3fff::/20"]
    .compactMap(AddressBlock.init)
}
