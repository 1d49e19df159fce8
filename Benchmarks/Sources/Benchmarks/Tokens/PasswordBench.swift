import BuiltInProviders
import CLimits
import CryptoExtras
import Foundation

/// Compares hashing and checking passwords with the library that does the work.
enum PasswordBench {
  private static let password = "correct horse battery staple"
  private static let salt = [UInt8](repeating: 7, count: 16)

  static func pairs() async throws -> [Pair] {
    let hasher = PasswordHasher()
    return [try argon2(hasher), try scrypt(hasher), try bcrypt(hasher)]
  }

  private static func argon2(_ hasher: PasswordHasher) throws -> Pair {
    let cost = PasswordHasher.Cost.owasp
    return Pair(
      subject: "argon2id", operation: "hash", limitName: "libargon2", goal: 0.95, times: 20,
      ours: { _ in _ = try await hasher.hash(password) },
      limit: { _ in
        guard
          limits_argon2id(
            UInt32(cost.iterations), UInt32(cost.memoryKiB), UInt32(cost.parallelism), password,
            salt, salt.count) == 0
        else { throw LimitFailure() }
      })
  }

  /// Measures scrypt as in Firebase's projects: N = 2^14, r = 8, followed by AES.
  private static func scrypt(_ hasher: PasswordHasher) throws -> Pair {
    let parameters = try PasswordHashParameters(
      algorithm: .scrypt, key: Data(repeating: 3, count: 64), saltSeparator: Data([1]), rounds: 8,
      memoryCost: 14)
    return check(
      hasher, "scrypt", parameters: parameters, hash: Data(repeating: 9, count: 64),
      limitName: "swift-crypto alone"
    ) {
      _ = try KDF.Scrypt.deriveKey(
        from: Data(password.utf8), salt: salt, outputByteCount: 64, rounds: 1 << 14, blockSize: 8,
        parallelism: 1)
    }
  }

  private static func bcrypt(_ hasher: PasswordHasher) throws -> Pair {
    let stored = "$2b$10$abcdefghijklmnopqrstuuBvJ5cb0s5tV3VGnF0DG6rs4CCYDkxCq"
    return check(
      hasher, "bcrypt", parameters: try PasswordHashParameters(algorithm: .bcrypt),
      hash: Data(stored.utf8),
      limitName: "libcrypt"
    ) {
      guard limits_crypt(password, stored) == 0 else { throw LimitFailure() }
    }
  }

  private static func check(
    _ hasher: PasswordHasher, _ name: String, parameters: PasswordHashParameters, hash: Data,
    limitName: String, limit: @escaping @Sendable () throws -> Void
  ) -> Pair {
    Pair(
      subject: name, operation: "check", limitName: limitName, goal: 0.95, times: 10,
      ours: { _ in
        let stored = try ImportedPasswordHash(
          salt: Data(salt).base64EncodedString(), hash: hash.base64EncodedString(),
          parameters: parameters)
        _ = try await hasher.verify(password, against: stored.encoded, imported: [parameters])
      }, limit: { _ in try limit() })
  }
}
