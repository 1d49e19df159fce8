import Foundation
import NIOSSL

/// The names for which a certificate is valid: those of its subject alternative names.
///
/// Clients ignore the common name.
struct CertificateNames {
  /// The names of hosts in lower case, of which the first label may be `*`.
  private(set) var hosts: [String] = []
  /// The bytes of addresses.
  private(set) var addresses: [[UInt8]] = []

  init(_ certificate: NIOSSLCertificate) {
    for name in certificate._subjectAlternativeNames() {
      switch name.nameType {
      case .dnsName:
        hosts.append(String(decoding: name.contents, as: UTF8.self).lowercased())
      case .ipAddress: addresses.append(Array(name.contents))
      default: break
      }
    }
  }

  /// All names as texts.
  var all: [String] { hosts + addresses.compactMap(Self.text) }

  /// Tells whether a client takes the certificate for a host, which may be an address with or without brackets.
  func cover(_ host: String) -> Bool {
    if let address = Self.bytes(of: host) { return addresses.contains(address) }
    let host = host.lowercased()
    return hosts.contains { name in
      guard name.hasPrefix("*.") else { return name == host }
      // A star stands for exactly one label.
      return host.split(separator: ".", maxSplits: 1).dropFirst().first.map(String.init)
        == String(name.dropFirst(2))
    }
  }

  private static func bytes(of host: String) -> [UInt8]? {
    let text = host.filter { !"[]".contains($0) }
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
    return nil
  }

  private static func text(of bytes: [UInt8]) -> String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard [4, 16].contains(bytes.count),
      inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
