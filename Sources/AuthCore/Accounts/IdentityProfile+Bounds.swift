extension IdentityProfile {
  /// Returns the part of a profile, given by a provider or by an app in its name, that is stored.
  ///
  /// Texts are within the bounds of an account's own, without control characters, which some stores cannot hold. A
  /// picture's URL is no script. The excess is cut, so that it refuses no sign-in.
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

  /// Tells whether a text may be kept as the URL of a picture: any but a script or one with control characters.
  ///
  /// Apps keep names of files and addresses of their own here, which Firebase accepts.
  static func isPicture(_ url: String) -> Bool {
    if isPlainURL(url) { return true }
    guard url.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      return false
    }
    // Browsers skip spaces before a scheme.
    let start = url.drop { $0 == " " }.prefix(scripts.map(\.count).max() ?? 0).lowercased()
    return !scripts.contains { start.hasPrefix($0) }
  }

  private static let scripts = ["javascript:", "vbscript:"]

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
