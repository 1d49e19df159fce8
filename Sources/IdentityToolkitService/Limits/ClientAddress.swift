import Crypto
import Foundation

/// The address that a request comes from, as far as it can be trusted.
package enum ClientAddress {
  /// Returns the connection's own address, or the nearest one before the trusted proxies.
  ///
  /// `X-Forwarded-For` is read from its end: each trusted proxy appended the address that it saw. A client may have
  /// forged anything before those.
  package static func of(
    peer: String?, forwardedFor: String?, trusted: [NetworkPrefix]
  ) -> String? {
    guard let peer, isTrusted(peer, trusted), let forwardedFor else { return peer }
    var nearest = peer
    for hop in forwardedFor.split(separator: ",").reversed() {
      let address = hop.trimmingPrefix(while: { $0 == " " }).split(separator: " ").first
        .map(String.init)
      guard let address, NetworkPrefix(address) != nil else { return nearest }
      nearest = address
      guard isTrusted(address, trusted) else { return nearest }
    }
    return nearest
  }

  package static func isTrusted(_ address: String, _ trusted: [NetworkPrefix]) -> Bool {
    guard !trusted.isEmpty, let address = NetworkPrefix(address) else { return false }
    return trusted.contains { $0.contains(address) }
  }

  /// Returns a digest of an address's network, so that a reader of the store does not learn the address.
  static func name(_ address: String) -> String {
    Data(SHA256.hash(data: Data(countedAs(address).utf8)).prefix(12)).base64EncodedString()
  }

  /// Returns the text that an address is counted under.
  ///
  /// An IPv6 address counts by its first 64 bits, because one home network has all the others.
  package static func countedAs(_ address: String?) -> String {
    guard let prefix = address.flatMap(NetworkPrefix.init) else { return "unknown" }
    guard prefix.bytes.count == 16 else { return "\(prefix.bytes)" }
    return "\(prefix.truncated(to: 64).bytes.prefix(8))"
  }
}
