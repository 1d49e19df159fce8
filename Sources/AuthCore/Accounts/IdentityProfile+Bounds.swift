import Foundation

extension IdentityProfile {
  /// What is kept of a profile that a provider gave, or an app in its name.
  ///
  /// Texts are no longer than an account's own may be and hold no control characters, which some stores cannot
  /// keep; a picture is one that a page may load. Nobody is kept out because of what is cut off.
  func bounded() -> IdentityProfile {
    IdentityProfile(
      email: email.flatMap(Self.bounded), displayName: displayName.flatMap(Self.bounded),
      photoURL: photoURL.flatMap(Self.boundedURL), phoneNumber: phoneNumber.flatMap(Self.bounded),
      screenName: screenName.flatMap(Self.bounded), language: language.flatMap(Self.bounded),
      dateOfBirth: dateOfBirth.flatMap(Self.bounded))
  }

  private static func bounded(_ text: String) -> String? {
    let bounds = TextBounds.name
    let isPlain =
      text.utf8.count <= bounds.characters && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    if isPlain { return text.utf8.allSatisfy { $0 == 0x20 } ? nil : text }
    let kept = text.unicodeScalars.lazy
      .filter { $0.properties.generalCategory != .control }.prefix(bounds.characters)
    return kept.allSatisfy(\.properties.isWhitespace)
      ? nil : bounds.cut(String(String.UnicodeScalarView(kept)))
  }

  private static func boundedURL(_ url: String) -> String? {
    TextBounds.url.allow(url) && isPicture(url) ? url : nil
  }

  /// Whether a URL is one that a page may load as a picture: of https or http, and no script.
  static func isPicture(_ url: String) -> Bool {
    if isPlainURL(url) { return true }
    let scheme = URLComponents(string: url)?.scheme?.lowercased()
    return scheme == "https" || scheme == "http"
  }

  /// Whether a URL needs no parser: of the safe scheme, with nothing but what every URL may have after it.
  private static func isPlainURL(_ url: String) -> Bool {
    url.utf8.starts(with: "https://".utf8)
      && url.utf8.dropFirst("https://".utf8.count).allSatisfy { byte in
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39: true
        default: "-._~/?=&".utf8.contains(byte)
        }
      }
  }
}
