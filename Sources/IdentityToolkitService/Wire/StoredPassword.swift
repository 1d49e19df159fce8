import AuthCore
import BuiltInProviders
import Foundation

/// A stored password as records show it: hash and salt.
struct StoredPassword: Sendable, Hashable {
  let hash: String
  let salt: String?

  /// The mask that clients see in place of a hash: base64 of `REDACTED`.
  static let redacted = SecretPlaceholder.hash

  /// Reads any of the forms in which providers store passwords.
  init(_ stored: String) {
    if let emulated = EmulatedHash(stored) {
      (hash, salt) = (stored, emulated.salt)
    } else if let imported = ImportedPasswordHash(parsing: stored) {
      (hash, salt) = (imported.hash.webSafe, imported.salt.isEmpty ? nil : imported.salt.webSafe)
    } else {
      (hash, salt) = (Data(stored.utf8).base64EncodedString().webSafe, Self.salt(in: stored))
    }
  }

  /// Returns the salt of an own hash, which is also a part of the hash.
  ///
  /// Admin SDKs take a record without a salt for one whose hash the caller may not see.
  private static func salt(in stored: String) -> String? {
    let parts = stored.split(separator: "$")
    guard PasswordHasher.isOwnHash(stored), parts.count == 5 else { return nil }
    return String(parts[3]).webSafe
  }
}

extension String {
  /// Standard base64 in the URL-safe alphabet of Firebase's protocol.
  fileprivate var webSafe: String {
    String(
      decoding: utf8.map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
      }, as: UTF8.self)
  }
}
