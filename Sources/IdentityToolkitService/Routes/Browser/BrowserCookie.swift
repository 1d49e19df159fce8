import AuthCore

/// The cookies that tell the browser in which a sign-in began from all others.
///
/// A page of another site may send a browser back with GET, and then a lax cookie comes along; where vendors
/// post their answer only one without that restraint does, which browsers take over TLS alone.
enum BrowserCookie: String, Sendable, Hashable {
  case lax
  case posted

  private func name(isSecure: Bool) -> String {
    let name = self == .lax ? "authgraph" : "authgraph-post"
    // Such a name can be set by this host alone, over TLS.
    return isSecure ? "__Host-\(name)" : name
  }

  /// The value that the browser has, where it has one that could have been made here.
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

  /// The header field that gives a browser its value.
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

  /// 43 letters and digits that nobody guesses.
  static func newValue() -> String { RandomText.letters(43) }

  private static func isHandle(_ text: Substring) -> Bool {
    text.count == 43 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
