import Crypto
import Foundation

/// Where a request comes from, as far as it can be believed.
package enum ClientAddress {
  /// The connection's own address, or the nearest one before the trusted proxies that passed it on.
  ///
  /// `X-Forwarded-For` is read from its end: each trusted proxy added the address that it saw, and what
  /// stands before those anybody may have written.
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

  /// A name for the network of an address that tells nobody who reads the store where it is.
  static func name(_ address: String) -> String {
    Data(SHA256.hash(data: Data(countedAs(address).utf8)).prefix(12)).base64EncodedString()
  }

  /// The name that an address is counted under: of an IPv6 address the first 64 bits, for one home's network has
  /// all the others.
  package static func countedAs(_ address: String?) -> String {
    guard let prefix = address.flatMap(NetworkPrefix.init) else { return "unknown" }
    guard prefix.bytes.count == 16 else { return "\(prefix.bytes)" }
    return "\(prefix.truncated(to: 64).bytes.prefix(8))"
  }
}
