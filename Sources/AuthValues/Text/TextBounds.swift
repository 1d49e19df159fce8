/// The longest that a kept text may be: in characters, and in bytes of UTF-8.
///
/// Characters alone bound nothing, because one of them may carry a million combining marks. A text is checked where it
/// comes in (a change, an import, a verified identity), never where it is read from a store: a store that holds longer
/// texts from before goes on to open.
public struct TextBounds: Sendable, Hashable {
  public let characters: Int
  public let bytes: Int

  public init(characters: Int, bytes: Int) {
    self.characters = characters
    self.bytes = bytes
  }

  /// Bounds for a text that is mostly ASCII, where bytes alone decide.
  public init(bytes: Int) {
    self.init(characters: bytes, bytes: bytes)
  }

  /// Whether a text is within both bounds.
  public func allow(_ text: String) -> Bool {
    let length = text.utf8.count
    // No text has more characters than bytes.
    return length <= characters || (length <= bytes && text.count <= characters)
  }

  /// The text, or as much of its beginning as is within both bounds.
  public func cut(_ text: String) -> String {
    guard !allow(text) else { return text }
    var length = 0
    let kept = text.unicodeScalars.prefix(characters).prefix { scalar in
      length += UTF8.width(scalar)
      return length <= bytes
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// Checks a text; throws with the title and the field of what is longer.
  public func check(
    _ text: String, _ title: String, field: String, code: AuthError.Code = .invalidArgument
  ) throws(AuthError) {
    guard allow(text) else { throw refusal(title, field: field, code: code) }
  }

  /// The refusal of a text that is longer.
  package func refusal(
    _ title: String, field: String, code: AuthError.Code = .invalidArgument
  ) -> AuthError {
    AuthError(
      code, "\(title) has at most \(self).", field: field, remedy: "Shorten it.", step: .decision)
  }
}

extension TextBounds: CustomStringConvertible {
  /// The bounds in words, such as "256 characters (1,024 bytes)".
  public var description: String {
    let bytes = "\(Self.grouped(bytes)) bytes"
    return characters < self.bytes ? "\(Self.grouped(characters)) characters (\(bytes))" : bytes
  }

  /// A number with commas between its thousands.
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    return digits.count < 4 ? digits : grouped(number / 1000) + "," + digits.suffix(3)
  }
}

/// The bounds of every kept text.
extension TextBounds {
  /// A name that people read: of an account, a second factor, a passkey, a tenant or an admin.
  public static let name = TextBounds(characters: 256, bytes: 1024)
  /// The address of a picture or of an app's function.
  public static let url = TextBounds(bytes: 2048)
  /// Firebase's length of a uid, in characters of up to four bytes.
  public static let uid = TextBounds(characters: 128, bytes: 512)
  public static let providerID = TextBounds(bytes: 128)
  /// OpenID Connect Core 1.0, section 2: a subject has at most 255 ASCII characters.
  public static let subject = TextBounds(bytes: 255)
  /// Web Authentication: a credential's ID has at most 1,023 bytes, which are 1,364 in base64url.
  public static let credentialID = TextBounds(bytes: 1364)
  public static let issuer = TextBounds(bytes: 512)
  /// Firebase's length of custom claims.
  public static let claims = TextBounds(characters: 1000, bytes: 4000)
  /// The ID of a second factor, which an import may make of a uid.
  public static let factorID = TextBounds(characters: 160, bytes: 640)
  /// A moment as RFC 3339 text.
  public static let moment = TextBounds(bytes: 64)
  /// A password's hash or another secret in stored form.
  public static let secret = TextBounds(bytes: 4096)
  /// Why an admin did something.
  public static let reason = TextBounds(characters: 1000, bytes: 4000)
  /// The name of an admin token.
  public static let tokenName = TextBounds(characters: 64, bytes: 256)
  /// What an app or a browser tells its session by.
  public static let session = TextBounds(bytes: 1024)
  /// The ID of a request, which a proxy may choose.
  public static let requestID = TextBounds(bytes: 64)
  /// Where a person goes on after a code was used.
  public static let continueURL = TextBounds(bytes: 8192)
  public static let domain = TextBounds(bytes: 255)
  /// The name of a script, which may be its file's path.
  public static let scriptName = TextBounds(bytes: 4096)
  /// The text of a script; Lua compiles no longer one.
  public static let script = TextBounds(bytes: 1 << 20)
  /// One text of a provider's settings, such as a key in PEM.
  public static let setting = TextBounds(bytes: 16_384)
  /// A setting's secret in sealed form.
  public static let sealedSetting = TextBounds(bytes: 32_768)
  /// A text of an audit event, of which a longer one is cut.
  public static let detail = TextBounds(bytes: 4096)
}
