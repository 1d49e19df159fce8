import BuiltInProviders
import Foundation
import Testing

@Suite struct PasswordHashLimitsTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let options: [String: String]
    let field: String

    init(_ field: String, _ options: [String: String]) {
      self.options = options
      self.field = field
    }

    var testDescription: String { "\(field) in \(options.sorted { $0.key < $1.key })" }
  }

  static let argon2 = [
    "hash-algo": "ARGON2", "argon2-hash-type": "ARGON2_ID", "argon2-hash-length-bytes": "32",
    "argon2-iterations": "2", "argon2-parallelism": "2", "argon2-memory-cost-kib": "64",
  ]

  static func argon2(_ name: String, _ value: String) -> [String: String] {
    argon2.merging([name: value]) { _, new in new }
  }

  static let scrypt = [
    "hash-algo": "SCRYPT", "hash-key": "a2V5", "rounds": "8", "mem-cost": "14",
  ]
  static let standard = [
    "hash-algo": "STANDARD_SCRYPT", "mem-cost": "1024", "block-size": "8",
    "parallelization": "1", "dk-len": "64",
  ]

  @Test(arguments: [
    Refusal("hash-algo", [:]),
    Refusal("hash-key", ["hash-algo": "SCRYPT", "rounds": "8", "mem-cost": "14"]),
    Refusal("rounds", scrypt.merging(["rounds": "9"]) { $1 }),
    Refusal("rounds", scrypt.merging(["rounds": "0"]) { $1 }),
    Refusal("mem-cost", scrypt.merging(["mem-cost": "15"]) { $1 }),
    Refusal("dk-len", scrypt.merging(["dk-len": "64"]) { $1 }),
    Refusal("mem-cost", standard.merging(["mem-cost": "1000"]) { $1 }),
    Refusal("mem-cost", standard.merging(["mem-cost": "1048576", "block-size": "16"]) { $1 }),
    Refusal("dk-len", standard.merging(["dk-len": "0"]) { $1 }),
    Refusal("parallelization", standard.merging(["parallelization": "0"]) { $1 }),
    Refusal("block-size", standard.merging(["block-size": "-1"]) { $1 }),
    Refusal("rounds", ["hash-algo": "PBKDF2_SHA256"]),
    Refusal("rounds", ["hash-algo": "PBKDF_SHA1", "rounds": "120001"]),
    Refusal("rounds", ["hash-algo": "PBKDF_SHA1", "rounds": "-1"]),
    Refusal("rounds", ["hash-algo": "SHA512", "rounds": "0"]),
    Refusal("rounds", ["hash-algo": "SHA1", "rounds": "8193"]),
    Refusal("rounds", ["hash-algo": "MD5", "rounds": "8193"]),
    Refusal("rounds", ["hash-algo": "MD5", "rounds": "many"]),
    Refusal("rounds", ["hash-algo": "BCRYPT", "rounds": "10"]),
    Refusal("hash-key", ["hash-algo": "HMAC_MD5"]),
    Refusal("hash-key", ["hash-algo": "HMAC_SHA1", "hash-key": ""]),
    Refusal("hash-input-order", ["hash-algo": "MD5", "rounds": "1", "hash-input-order": "SALT"]),
    Refusal("argon2-hash-type", ["hash-algo": "ARGON2"]),
    Refusal("argon2-hash-type", argon2("argon2-hash-type", "ARGON2_X")),
    Refusal("argon2-hash-length-bytes", argon2("argon2-hash-length-bytes", "3")),
    Refusal("argon2-iterations", argon2("argon2-iterations", "17")),
    Refusal("argon2-parallelism", argon2("argon2-parallelism", "17")),
    Refusal("argon2-memory-cost-kib", argon2("argon2-memory-cost-kib", "262145")),
    Refusal("argon2-memory-cost-kib", argon2("argon2-memory-cost-kib", "15")),
    Refusal("argon2-version", argon2("argon2-version", "VERSION_11")),
  ])
  func `a parameter out of the limits is refused by name`(refusal: Refusal) {
    let error = #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(options: refusal.options)
    }

    #expect(error?.field == refusal.field)
    #expect(error?.message.isEmpty == false)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `a refusal names the allowed range`() {
    let error = #expect(throws: PasswordHashParametersError.self) {
      try PasswordHashParameters(algorithm: .sha256, rounds: 9000)
    }

    #expect(error?.remedy == "Give a whole number from 1 to 8192.")
  }

  @Test(arguments: [
    scrypt, standard, argon2, ["hash-algo": "BCRYPT"], ["hash-algo": "MD5", "rounds": "0"],
    ["hash-algo": "PBKDF_SHA1", "rounds": "0"], ["hash-algo": "SHA256", "rounds": "8192"],
    ["hash-algo": "PBKDF2_SHA256", "rounds": "120000"],
  ])
  func `parameters within the limits are taken`(options: [String: String]) throws {
    _ = try PasswordHashParameters(options: options)
  }
}
