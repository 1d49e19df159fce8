import Crypto
import CryptoExtras
import Foundation

extension LegacyHash {
  /// Computes Firebase's own variant, in which scrypt's output is the key that encrypts the signer key.
  func modifiedScrypt(_ password: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    let derived = try Scrypt(
      n: 1 << (parameters.memoryCost ?? 0), r: parameters.rounds ?? 0, p: 1, length: 64
    ).derive(password, salt: salt + (parameters.saltSeparator ?? Data()))
    do {
      let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
      return Array(
        try AES._CTR.encrypt(
          parameters.key ?? Data(), using: SymmetricKey(data: derived.prefix(32)), nonce: nonce))
    } catch {
      throw .failed("SCRYPT")
    }
  }

  /// Computes scrypt as in RFC 7914; `mem-cost` is N itself.
  func standardScrypt(_ password: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    try Scrypt(
      n: parameters.memoryCost ?? 0, r: parameters.blockSize ?? 0,
      p: parameters.parallelization ?? 0, length: parameters.dkLen ?? 0
    ).derive(password, salt: salt)
  }
}
