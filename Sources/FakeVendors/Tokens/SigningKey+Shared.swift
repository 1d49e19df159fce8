import NIOConcurrencyHelpers

extension SigningKey {
  private static let sharedKeys = NIOLockedValueBox<[Int: SigningKey]>([:])

  /// Returns one of the RSA keys that the whole process shares, each made on first use because that is slow.
  ///
  /// - `number`: The number of the key; different numbers are different keys.
  /// - `keyID`: The key ID to use; nil for the number.
  public static func shared(_ number: Int = 0, keyID: String? = nil) throws -> SigningKey {
    var key = try sharedKeys.withLockedValue { keys in
      if let key = keys[number] { return key }
      let key = try SigningKey.rsa(keyID: "shared-\(number)")
      keys[number] = key
      return key
    }
    if let keyID { key.keyID = keyID }
    return key
  }
}
