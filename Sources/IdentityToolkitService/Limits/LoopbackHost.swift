import Foundation

/// The names that a machine has for itself alone.
package enum LoopbackHost {
  private static let networks = ["127.0.0.0/8", "::1"].compactMap(NetworkPrefix.init)

  /// Whether a name or an address, in brackets or not, leads to no other machine.
  package static func isOne(_ host: String) -> Bool {
    let host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
    return host == "localhost" || ClientAddress.isTrusted(host, networks)
  }

  /// Whether the host of a URL is one.
  package static func isHost(ofURL url: String) -> Bool {
    URLComponents(string: url)?.host.map(isOne) ?? false
  }
}
