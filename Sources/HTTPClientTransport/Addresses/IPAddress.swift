#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An IPv4 or IPv6 address, to be checked before a connection.
///
/// An IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) is the IPv4 address.
package struct IPAddress: Hashable, Sendable {
  /// The four or sixteen bytes, in the order of the text.
  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.bytes = bytes
    case 16:
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      self.bytes = isMapped ? Array(bytes[12...]) : bytes
    default: return nil
    }
  }

  /// Parses the usual spelling only: four decimal numbers, or IPv6 without brackets and zone.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }

  package var isIPv4: Bool { bytes.count == 4 }

  /// The address in the form of a URL, with IPv6 in brackets.
  package var hostText: String { isIPv4 ? description : "[\(description)]" }
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    guard !isIPv4 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let written = bytes.withUnsafeBytes {
      inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
    }
    guard written != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
