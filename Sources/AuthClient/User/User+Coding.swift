public import Foundation

extension User: NSSecureCoding {
  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  private static let key = "user"

  /// Reads an archive for the default app; nil if it is invalid or if no app is configured.
  public convenience init?(coder: NSCoder) {
    guard let auth = Auth.configured,
      let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
      let stored = try? StoredUser(encoded: data as Data)
    else { return nil }
    self.init(stored, auth: auth)
  }

  /// Writes the whole stored state, including tokens.
  ///
  /// Keep the archive as secret as a password.
  public func encode(with coder: NSCoder) {
    guard let data = try? stored.encoded() else {
      return coder.failWithError(NSError.auth(.keychainError))
    }
    coder.encode(data as NSData, forKey: Self.key)
  }
}
