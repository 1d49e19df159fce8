import AuthCore
import Foundation

/// The address that a person goes on to after using a code.
///
/// Only URLs that all browsers read alike are accepted: no user before the host, no backslash, no space.
struct ContinueURL: Sendable, Hashable {
  let text: String
  /// The host in lower case, without its port.
  let host: String

  /// Reads an absolute URL with a scheme and a host.
  ///
  /// Returns nil for any other text.
  init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"\\\"<>".utf8.contains($0)
    }
    guard isPlain, TextBounds.continueURL.allow(text), let parts = URLComponents(string: text),
      let scheme = parts.scheme?.lowercased(), !scheme.isEmpty, parts.user == nil,
      parts.password == nil, let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    self.text = text
    self.host = host
    isWeb = scheme == "https" || scheme == "http"
  }

  /// True if browsers open the address as a page.
  let isWeb: Bool

  /// Tells whether the scope's settings let links lead there: to an authorised domain, this server, or this machine.
  func isAuthorized(_ settings: SignInSettings, publicURL: String) -> Bool {
    guard isWeb else { return false }
    let own = ContinueURL(publicURL)?.host
    let domains = settings.authorizedDomains.map { $0.lowercased() }
    return host == "localhost" || host == own || domains.contains(host)
  }

  /// Returns the address with further query parameters, which replace those of the same name.
  func adding(_ fields: [(name: String, value: String)]) -> String {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let base = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Set(fields.map(\.name))
    let kept = (base.count > 1 ? base[1].split(separator: "&") : []).filter { pair in
      !names.contains(URLText.name(ofField: pair))
    }
    let query = kept.map(String.init) + [URLText.form(fields)].filter { !$0.isEmpty }
    let address = query.isEmpty ? String(base[0]) : "\(base[0])?\(query.joined(separator: "&"))"
    return parts.count > 1 ? "\(address)#\(parts[1])" : address
  }
}
