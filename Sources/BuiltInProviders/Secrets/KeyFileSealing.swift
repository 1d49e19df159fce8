public import AuthCore
import NIOConcurrencyHelpers

/// Seals with the key in a file, which is made when the first secret is sealed.
///
/// The file is read once, on first use. Only its owner may have access to it: a file that others can read, that is
/// malformed, or that belongs to another user is refused with `store-unavailable`. Processes that make the file at
/// the same time end up with the same key. Losing the file means losing the secrets: it belongs into the backup,
/// but not beside the store.
public final class KeyFileSealing: SecretSealing {
  /// The path of the key file.
  public let path: String
  private let file: KeyFile
  private let key = NIOLockedValueBox<SealingKey?>(nil)

  /// Takes the path of a file that need not exist yet; nothing is read or written before the first use.
  public init(path: String) {
    self.path = path
    file = KeyFile(path: path)
  }

  /// Encrypts a text for a purpose; makes the key file if there is none.
  public func seal(_ text: String, for purpose: String) throws -> String {
    try loaded(makingIt: true).seal(text, for: purpose)
  }

  /// Decrypts a text; throws `internal-error` if it was changed, or sealed with another key or purpose.
  ///
  /// Throws `store-unavailable` if there is no usable key file. It makes none, because a new key opens nothing.
  public func open(_ sealed: String, for purpose: String) throws -> String {
    try loaded(makingIt: false).open(sealed, for: purpose, keeper: path)
  }

  /// The ID of the key in sealed texts.
  ///
  /// Throws `store-unavailable` if there is no usable key file; it makes none.
  public func keyID() throws -> String { try loaded(makingIt: false).id }

  private func loaded(makingIt: Bool) throws -> SealingKey {
    try key.withLockedValue { known in
      if let known { return known }
      let key = try file.read() ?? (makingIt ? file.make() : nil)
      guard let key else { throw file.missing }
      known = key
      return key
    }
  }
}
