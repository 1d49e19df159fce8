import AuthCore

/// The cookies that identify the browser in which a sign-in began.
///
/// A vendor that redirects back with GET gets the `SameSite=Lax` cookie. A vendor that posts its answer needs one with
/// `SameSite=None`, which browsers accept over TLS alone.
enum BrowserCookie: String, Sendable, Hashable {
  case lax
  case posted

  private func name(isSecure: Bool) -> String {
    let name = self == .lax ? "authgraph" : "authgraph-post"
    // Only this host, over TLS, can set a cookie with this prefix.
    return isSecure ? "__Host-\(name)" : name
  }

  /// Returns the cookie's value, or nil if there is none that could have been made here.
  func value(in header: String?, isSecure: Bool) -> String? {
    let name = name(isSecure: isSecure)
    for pair in (header ?? "").split(separator: ";") {
      let parts = pair.trimmingPrefix(while: { $0 == " " })
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == name, Self.isHandle(parts[1]) else { continue }
      return String(parts[1])
    }
    return nil
  }

  /// Returns the header field that sets the cookie.
  func field(_ value: String, isSecure: Bool) -> String {
    var parts = [
      "\(name(isSecure: isSecure))=\(value)", "Path=/", "HttpOnly",
      "Max-Age=\(AuthorizationGrant.lifetime)",
    ]
    if isSecure { parts.append("Secure") }
    switch self {
    case .lax: parts.append("SameSite=Lax")
    case .posted: if isSecure { parts.append("SameSite=None") }
    }
    return parts.joined(separator: "; ")
  }

  /// Makes 43 random letters and digits.
  static func newValue() -> String { RandomText.letters(43) }

  private static func isHandle(_ text: Substring) -> Bool {
    text.count == 43 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
