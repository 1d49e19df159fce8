import AuthValues
import Foundation

/// The destination of a request: its URL, parsed strictly and written again in one spelling.
///
/// The HTTP client reads only the rewritten text, so no two parsers can read a different host.
struct Destination: Sendable {
  let host: HostText
  let port: Int
  let url: String
  /// True if an admin allowed this host to be private, and without TLS.
  let mayBePrivate: Bool

  /// Throws a ``Failure`` if the URL may not be requested.
  init(_ request: HTTPRequest) throws {
    let text = request.url
    guard let colon = text.firstRange(of: "://") else { throw Failure.malformedURL }
    let scheme = text[..<colon.lowerBound].lowercased()
    let afterScheme = text[colon.upperBound...]
    let end = afterScheme.firstIndex { "/?#".contains($0) } ?? afterScheme.endIndex
    let authority = afterScheme[..<end]
    guard !authority.contains("@") else { throw Failure.userInfo }
    guard scheme == "https" || scheme == "http" else { throw Failure.notHTTPS }
    let standardPort = scheme == "https" ? 443 : 80
    guard let (host, port) = Self.hostAndPort(authority) else { throw Failure.malformedURL }

    self.host = host
    self.port = port ?? standardPort
    let rest = afterScheme[end...].prefix { $0 != "#" }
    guard Self.isEscaped(rest) else { throw Failure.malformedURL }
    let place = self.port == standardPort ? host.text : "\(host.text):\(self.port)"
    url = "\(scheme)://\(place)\(rest.hasPrefix("/") ? "" : "/")\(rest)"
    mayBePrivate = Self.allows(request.privateHosts, host: host, port: self.port)
    guard scheme == "https" || mayBePrivate else { throw Failure.notHTTPS }
    guard mayBePrivate || !host.isPrivateName else { throw Failure.privateAddress }
    if case .name(let name) = host {
      // The client pins the address to the host that it reads; it would resolve any other host itself.
      guard URL(string: url)?.host == name else { throw Failure.malformedURL }
    }
  }

  /// The host as errors name it; nil if the URL has no printable host.
  static func printableHost(of url: String) -> String? {
    guard let colon = url.firstRange(of: "://") else { return nil }
    let authority = url[colon.upperBound...].prefix { !"/?#\\".contains($0) }
    // The text before the sign may be a password.
    guard let last = authority.split(separator: "@", omittingEmptySubsequences: false).last else {
      return nil
    }
    return hostAndPort(last)?.host.text
  }

  /// Splits `host:port`; nil if it is malformed.
  static func hostAndPort(_ text: some StringProtocol) -> (host: HostText, port: Int?)? {
    let colon = text.lastIndex(of: ":").flatMap { colon in
      // The colons inside brackets belong to an address.
      text[colon...].contains("]") ? nil : colon
    }
    guard let host = HostText(text[..<(colon ?? text.endIndex)]) else { return nil }
    guard let colon else { return (host, nil) }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (1...65535).contains(port)
    else { return nil }
    return (host, port)
  }

  /// Tells whether a path and query have only characters that RFC 3986 allows.
  ///
  /// Libraries repair other texts, and escape a second time what was already escaped.
  private static func isEscaped(_ text: Substring) -> Bool {
    let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
    return pieces.dropFirst().allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~!$&'()*+,;=:@/?%".utf8.contains($0)
        }
      }
  }

  private static func allows(_ privateHosts: [String], host: HostText, port: Int) -> Bool {
    privateHosts.contains { entry in
      if let address = IPAddress(entry) { return host == .address(address) }
      guard let allowed = hostAndPort(entry) else { return false }
      return allowed.host == host && (allowed.port ?? port) == port
    }
  }
}
