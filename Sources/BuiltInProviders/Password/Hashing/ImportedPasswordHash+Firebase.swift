import Foundation

extension ImportedPasswordHash {
  /// Hash and salt in the one form that Firebase's tools take, standard base64 with padding; nil where the hash cannot be
  /// one of the parameters'.
  ///
  /// A digest of MD5 is its hexadecimal text in base64, every other hash its bytes.
  public func firebaseColumns(
    _ parameters: PasswordHashParameters
  ) -> (hash: String, salt: String?)? {
    guard let legacy = try? LegacyHash(self, parameters) else { return nil }
    let bytes = parameters.algorithm == .md5 ? legacy.stored.flatMap(Self.hex) : legacy.stored
    let salt = Data(legacy.salt).base64EncodedString()
    return (Data(bytes).base64EncodedString(), salt.isEmpty ? nil : salt)
  }

  private static func hex(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
