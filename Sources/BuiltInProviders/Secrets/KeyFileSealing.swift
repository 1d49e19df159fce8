public import AuthCore
import NIOConcurrencyHelpers

/// Seals with the key in a file, which is made when the first secret is sealed.
///
/// The file is read when it is first needed, and then no more. Only its owner may have access to it; one that
/// others may read, that is malformed, or that belongs to somebody else is refused with
/// `store-unavailable`. Processes that make the file at once end with the same key. Whoever loses the
/// file loses the secrets: it belongs into the backup, but not beside the store.
public final class KeyFileSealing: SecretSealing {
  /// Where the key is kept.
  public let path: String
  private let file: KeyFile
  private let key = NIOLockedValueBox<SealingKey?>(nil)

  /// Takes the path of a file that need not exist yet; nothing is read or written before it is needed.
  public init(path: String) {
    self.path = path
    file = KeyFile(path: path)
  }

  public func seal(_ text: String, for purpose: String) throws -> String {
    try loaded(makingIt: true).seal(text, for: purpose)
  }

  /// Decrypts a text; throws `internal-error` where it was changed, or sealed with another key or purpose.
  ///
  /// Throws `store-unavailable` where there is no key file, or none that may be used; it makes none, because
  /// a new key opens nothing.
  public func open(_ sealed: String, for purpose: String) throws -> String {
    try loaded(makingIt: false).open(sealed, for: purpose, keeper: path)
  }

  /// The ID by which sealed texts name the key.
  ///
  /// Throws `store-unavailable` if there is no key file, or none that may be used; it makes none.
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
