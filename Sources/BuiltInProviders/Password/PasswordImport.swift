import Foundation
import Synchronization

/// Reads the passwords of one import, whichever face brings it.
///
/// There is one reading of hashes, salts and parameters, so that a file, `accounts:batchCreate` and the emulator's
/// exports give the same accounts.
public final class PasswordImport: Sendable {
  private let given: PasswordHashParameters?
  private let id: String
  private let dearest = Atomic(0)

  /// Takes how the hashes were made; nil takes only those that describe themselves.
  public init(_ parameters: PasswordHashParameters?) {
    given = parameters
    id = parameters?.id ?? ""
  }

  /// How the hashes were made, with the dearest that was read so far.
  public var parameters: PasswordHashParameters? {
    guard var parameters = given else { return nil }
    let read = dearest.load(ordering: .relaxed)
    if read > 0 { parameters.dearest = read }
    return parameters
  }

  /// The text to store for a hash with its salt; nil for a hash of which nothing says how it was made.
  ///
  /// A hash that AuthGraph exported describes itself. Throws `malformed-hash` for one that the algorithm cannot have
  /// made, so that it is reported now and not when its owner signs in.
  public func stored(
    _ hash: String, salt: String?
  ) throws(PasswordHasherError) -> String? {
    let salt = salt ?? ""
    if salt.isEmpty, let own = Self.ownHash(hash) { return own }
    guard let given else { return nil }
    let imported = try ImportedPasswordHash(parameterSetID: id, salt: salt, hash: hash)
    if let shape = try LegacyHash(imported, given).shape {
      dearest.max(shape, ordering: .relaxed)
    }
    return imported.encoded
  }

  private static func ownHash(_ text: String) -> String? {
    guard let bytes = Base64Text.bytes(of: text) else { return nil }
    let decoded = String(decoding: bytes, as: UTF8.self)
    return PasswordHasher.isOwnHash(decoded) ? decoded : nil
  }
}
