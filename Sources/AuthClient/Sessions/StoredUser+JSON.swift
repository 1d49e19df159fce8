import Foundation

extension StoredUser {
  /// The version of the format, which increases with changes that older code would misread.
  private static let version = 1

  /// Returns the bytes for a session storage: JSON with the version beside the user.
  ///
  /// Dates are seconds since 2001, as Foundation counts them, so they are restored exactly.
  func encoded() throws(SessionStorageError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(Envelope(version: Self.version, user: self))
    } catch {
      throw SessionStorageError(
        place: "The user \(uid)", message: "cannot be written as JSON.",
        remedy: "Check that its dates are finite.")
    }
  }

  /// Reads the bytes of ``encoded()``; throws for other bytes and later versions.
  ///
  /// The errors quote nothing of the bytes, which hold tokens.
  init(encoded data: Data) throws(SessionStorageError) {
    let decoder = JSONDecoder()
    // The version comes first, because a later format may look different.
    guard let version = try? decoder.decode(VersionMark.self, from: data).version else {
      throw Self.unreadable("is not one that this library wrote")
    }
    guard version == Self.version else {
      throw SessionStorageError(
        place: Self.place,
        message: "has format \(version), and this version of the library reads \(Self.version).",
        remedy: "Update the library, or sign out and in again.")
    }
    guard let user = try? decoder.decode(Envelope.self, from: data).user, !user.uid.isEmpty else {
      throw Self.unreadable("is damaged")
    }
    self = user
  }

  private static let place = "The stored user"

  private static func unreadable(_ what: String) -> SessionStorageError {
    SessionStorageError(
      place: place, message: "\(what).", remedy: "Remove it, and sign in again.")
  }
}

private struct VersionMark: Decodable {
  let version: Int
}

private struct Envelope: Codable {
  let version: Int
  let user: StoredUser
}
