import Crypto
import Foundation

extension LegacyHash {
  /// Computes the HMAC of salt and password joined, with the project's key.
  func hmac(_ message: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: parameters.key ?? Data())
    return switch parameters.algorithm {
    case .hmacSHA512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
    case .hmacSHA256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    case .hmacSHA1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    default: Array(HMAC<Insecure.MD5>.authenticationCode(for: message, using: key))
    }
  }

  /// Digests salt and password joined, and then the digest again, `rounds` times in all.
  ///
  /// Firebase documents the parameters only, so this is the conventional reading: each round digests the bytes of
  /// the previous digest, not its hex text, and 0 rounds of MD5 are one.
  func repeatedDigest(_ message: [UInt8]) -> [UInt8] {
    let rounds = max(1, parameters.rounds ?? 1)
    return switch parameters.algorithm {
    case .sha512: Self.digest(SHA512.self, message, rounds)
    case .sha256: Self.digest(SHA256.self, message, rounds)
    case .sha1: Self.digest(Insecure.SHA1.self, message, rounds)
    default: Self.digest(Insecure.MD5.self, message, rounds)
    }
  }

  private static func digest<Function: HashFunction>(
    _ function: Function.Type, _ message: [UInt8], _ rounds: Int
  ) -> [UInt8] {
    (0..<rounds).reduce(message) { value, _ in Array(Function.hash(data: value)) }
  }
}
