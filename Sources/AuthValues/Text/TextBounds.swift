/// The maximum length of a stored text, in characters and in bytes of UTF-8.
///
/// Characters alone bound nothing, because one may carry a million combining marks. A text is checked when it enters (a
/// change, an import, a verified identity), never when it is read from a store. So a store with longer texts from
/// before still opens.
public struct TextBounds: Sendable, Hashable {
  /// The maximum number of characters.
  public let characters: Int
  /// The maximum number of bytes in UTF-8.
  public let bytes: Int

  /// Makes bounds of both kinds.
  public init(characters: Int, bytes: Int) {
    self.characters = characters
    self.bytes = bytes
  }

  /// Makes bounds for a text that is mostly ASCII, by bytes alone.
  public init(bytes: Int) {
    self.init(characters: bytes, bytes: bytes)
  }

  /// Tells whether a text is within both bounds.
  public func allow(_ text: String) -> Bool {
    let length = text.utf8.count
    // No text has more characters than bytes.
    return length <= characters || (length <= bytes && text.count <= characters)
  }

  /// Returns the text, or the longest beginning of it that is within both bounds.
  public func cut(_ text: String) -> String {
    guard !allow(text) else { return text }
    var length = 0
    let kept = text.unicodeScalars.prefix(characters).prefix { scalar in
      length += UTF8.width(scalar)
      return length <= bytes
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// Throws an error with this title, field and code if a text is too long.
  public func check(
    _ text: String, _ title: String, field: String, code: AuthError.Code = .invalidArgument
  ) throws(AuthError) {
    guard allow(text) else { throw refusal(title, field: field, code: code) }
  }

  /// Makes the error for a text that is too long.
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

  /// Returns a number with commas between its thousands.
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    return digits.count < 4 ? digits : grouped(number / 1000) + "," + digits.suffix(3)
  }
}

/// The bounds of all stored texts.
extension TextBounds {
  /// The display name of an account, a second factor, a passkey, a tenant or an admin.
  public static let name = TextBounds(characters: 256, bytes: 1024)
  /// The URL of a picture or of an app's function.
  public static let url = TextBounds(bytes: 2048)
  /// An account's uid: Firebase's length, in characters of up to four bytes.
  public static let uid = TextBounds(characters: 128, bytes: 512)
  /// The ID of a provider.
  public static let providerID = TextBounds(bytes: 128)
  /// A provider's subject: at most 255 ASCII characters (OpenID Connect Core 1.0 section 2).
  public static let subject = TextBounds(bytes: 255)
  /// The ID of a passkey: at most 1,023 bytes (Web Authentication), which are 1,364 in base64url.
  public static let credentialID = TextBounds(bytes: 1364)
  /// The issuer of an identity.
  public static let issuer = TextBounds(bytes: 512)
  /// Custom claims as JSON: Firebase's length.
  public static let claims = TextBounds(characters: 1000, bytes: 4000)
  /// The ID of a second factor, which an import may derive from a uid.
  public static let factorID = TextBounds(characters: 160, bytes: 640)
  /// A time as RFC 3339 text.
  public static let moment = TextBounds(bytes: 64)
  /// A password hash or another secret in stored form.
  public static let secret = TextBounds(bytes: 4096)
  /// An admin's reason for an action.
  public static let reason = TextBounds(characters: 1000, bytes: 4000)
  /// The name of an admin token.
  public static let tokenName = TextBounds(characters: 64, bytes: 256)
  /// The text by which an app or a browser recognises its session.
  public static let session = TextBounds(bytes: 1024)
  /// The ID of a request, which a proxy may choose.
  public static let requestID = TextBounds(bytes: 64)
  /// The continue URL of an e-mailed code.
  public static let continueURL = TextBounds(bytes: 8192)
  /// A domain's name.
  public static let domain = TextBounds(bytes: 255)
  /// The name of a script, which may be the path of its file.
  public static let scriptName = TextBounds(bytes: 4096)
  /// The text of a script; Lua compiles no longer ones.
  public static let script = TextBounds(bytes: 1 << 20)
  /// One text of a provider's settings, such as a PEM key.
  public static let setting = TextBounds(bytes: 16_384)
  /// The secret of a setting in sealed form.
  public static let sealedSetting = TextBounds(bytes: 32_768)
  /// A text of an audit event; a longer one is cut.
  public static let detail = TextBounds(bytes: 4096)
}
