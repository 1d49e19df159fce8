import Crypto
import CryptoExtras
import Foundation

extension LegacyHash {
  /// The lengths of hashes, which the exporter chose; a few bytes only would match by chance.
  static let pbkdf2Lengths = 8...1024

  /// Derives as many bytes from password and salt as the stored hash has.
  ///
  /// The conventional reading, for Firebase documents the parameters only; 0 rounds are one.
  func pbkdf2(_ password: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    do {
      return try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt,
        using: parameters.algorithm == .pbkdfSHA1 ? .insecureSHA1 : .sha256,
        outputByteCount: stored.count, unsafeUncheckedRounds: max(1, parameters.rounds ?? 1)
      ).withUnsafeBytes(Array.init)
    } catch {
      throw .failed(parameters.algorithm.rawValue)
    }
  }
}
