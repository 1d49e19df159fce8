import Crypto
import CryptoExtras
import Foundation

/// Derives bytes from a password by scrypt (RFC 7914).
struct Scrypt {
  let n: Int
  let r: Int
  let p: Int
  let length: Int

  func derive(_ password: [UInt8], salt: [UInt8]) throws(PasswordHasherError) -> [UInt8] {
    do {
      guard isWithinLibraryLimit else { return try deriveByBlocks(password, salt: salt) }
      return try KDF.Scrypt.deriveKey(
        from: password, salt: salt, outputByteCount: length, rounds: n, blockSize: r,
        parallelism: p
      ).withUnsafeBytes(Array.init)
    } catch {
      throw .failed("scrypt")
    }
  }

  // swift-crypto allows its library 128·N·r·p bytes and one page, and does not pass on another
  // limit; the library wants N + p + 1 blocks of 128·r bytes. Both agree unless r is large.
  private var isWithinLibraryLimit: Bool {
    (128 * n * r * p + 4096) / (128 * r) >= n + p + 1
  }

  /// Computes sections 3 to 6 of the RFC, for parameters that the library refuses.
  func deriveByBlocks(_ password: [UInt8], salt: [UInt8]) throws -> [UInt8] {
    let expanded = try pbkdf2(password, salt, 128 * r * p)
    var words = stride(from: 0, to: expanded.count, by: 4).map { at in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(expanded[at + $1]) << UInt32(8 * $1) }
    }
    var mixer = ScryptMixer(n: n, r: r)
    for lane in 0..<p {
      let range = (lane * 32 * r)..<((lane + 1) * 32 * r)
      words.replaceSubrange(range, with: mixer.mix(Array(words[range])))
    }
    let mixed = words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    }
    return try pbkdf2(password, mixed, length)
  }

  private func pbkdf2(_ password: [UInt8], _ salt: [UInt8], _ length: Int) throws -> [UInt8] {
    try KDF.Insecure.PBKDF2.deriveKey(
      from: password, salt: salt, using: .sha256, outputByteCount: length,
      unsafeUncheckedRounds: 1
    ).withUnsafeBytes(Array.init)
  }
}
