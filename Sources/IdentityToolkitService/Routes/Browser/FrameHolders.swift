import AuthCore
import Foundation

/// The origins whose pages may hold the frame of a project, as sources of a Content Security Policy.
///
/// They are those to which a sign-in may lead: ``ContinueURL/takesCredentials(_:publicURL:)``.
struct FrameHolders: Sendable, Hashable {
  let sources: [String]

  /// The number of domains from which on only the one that asks is listed, because proxies bound header fields.
  private static let most = 50

  init(_ settings: SignInSettings, publicURL: String, referrer: String?) {
    var hosts = [ContinueURL(publicURL)?.host].compactMap(\.self)
    hosts += settings.authorizedDomains.map { $0.lowercased() }
    if hosts.count > Self.most {
      let asking = referrer.flatMap(ContinueURL.init)?.host
      hosts = hosts.filter { $0 == asking }
    }
    var seen: Set<String> = ["localhost"]
    let named = hosts.filter { Self.isHost($0) && seen.insert($0).inserted }
    sources = ["http://localhost:*", "https://localhost:*"] + named.map { "https://\($0):*" }
  }

  /// True for a name or an IPv4 address, which can end no part of a policy and holds no wildcard.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

extension ContinueURL {
  /// The origin as a source of a Content Security Policy; nil if browsers open no page there.
  var origin: String? {
    guard isWeb, FrameHolders.isHost(host), let parts = URLComponents(string: text),
      let scheme = parts.scheme?.lowercased()
    else { return nil }
    return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
  }
}
