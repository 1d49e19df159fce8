import Crypto
import CryptoExtras
import Foundation

extension LegacyHash {
  /// The allowed lengths of hashes in bytes, which the exporter chose; shorter ones would match by chance.
  static let pbkdf2Lengths = 8...1024

  /// Derives as many bytes from password and salt as the stored hash has.
  ///
  /// Firebase documents the parameters only, so this is the conventional reading; 0 rounds are one.
  func pbkdf2(_ password: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    let function: KDF.Insecure.PBKDF2.HashFunction =
      switch parameters.algorithm {
      case .pbkdfSHA1: .insecureSHA1
      case .pbkdf2SHA512: .sha512
      default: .sha256
      }
    do {
      return try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt,
        using: function,
        outputByteCount: stored.count, unsafeUncheckedRounds: max(1, parameters.rounds ?? 1)
      ).withUnsafeBytes(Array.init)
    } catch {
      throw .failed(parameters.algorithm.rawValue)
    }
  }
}
