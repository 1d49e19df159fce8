import Foundation

extension IdentityProfile {
  /// Returns the part of a profile, given by a provider or by an app in its name, that is stored.
  ///
  /// Texts are within the bounds of an account's own, without control characters, which some stores cannot hold. A
  /// picture's URL is one that a page may load. The excess is cut, so that it refuses no sign-in.
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

  /// Tells whether a page may load a URL as a picture: http or https, and not a script.
  static func isPicture(_ url: String) -> Bool {
    if isPlainURL(url) { return true }
    let scheme = URLComponents(string: url)?.scheme?.lowercased()
    return scheme == "https" || scheme == "http"
  }

  /// Tells whether a URL is safe without parsing it: https and only characters that need no escape.
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
