import Foundation

/// The host names and addresses of the machine itself.
package enum LoopbackHost {
  private static let networks = ["127.0.0.0/8", "::1"].compactMap(NetworkPrefix.init)

  /// Tells whether a name or an address, in brackets or not, is the machine itself.
  package static func isOne(_ host: String) -> Bool {
    let host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
    return host == "localhost" || ClientAddress.isTrusted(host, networks)
  }

  /// Tells whether the host of a URL is the machine itself.
  package static func isHost(ofURL url: String) -> Bool {
    URLComponents(string: url)?.host.map(isOne) ?? false
  }
}
