import BuiltInProviders
import Foundation
import Testing

@Suite struct DigestTests {
  typealias Algorithm = PasswordHashParameters.Algorithm
  typealias Order = PasswordHashParameters.InputOrder

  static func keyed(_ algorithm: Algorithm, _ key: String, _ order: Order?)
    -> PasswordHashParameters
  {
    sure {
      try PasswordHashParameters(algorithm: algorithm, key: Data(key.utf8), inputOrder: order)
    }
  }

  static func repeated(_ algorithm: Algorithm, _ rounds: Int, _ order: Order?)
    -> PasswordHashParameters
  {
    sure { try PasswordHashParameters(algorithm: algorithm, rounds: rounds, inputOrder: order) }
  }

  /// Case 2 of RFC 4231 and RFC 2202, with its message split in two.
  static func jefe(_ algorithm: Algorithm, _ hex: String) -> KnownVector {
    KnownVector(
      source: "RFC 4231 and 2202", parameters: keyed(algorithm, "Jefe", nil),
      password: "what do ya want ", salt: KnownVector.base64("for nothing?"),
      hash: KnownVector.base64(hex: hex))
  }

  static func saltFirst(_ algorithm: Algorithm, _ hash: String) -> KnownVector {
    KnownVector(
      source: "Python's hmac, salt first",
      parameters: keyed(algorithm, "signer key of a project", .saltFirst), hash: hash)
  }

  static let hmacs = [
    jefe(
      .hmacSHA512,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
    jefe(.hmacSHA256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    jefe(.hmacSHA1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    jefe(.hmacMD5, "750c783e6ab0b503eaa86e310a5db738"),
    saltFirst(
      .hmacSHA512,
      "kKSlB+IS4Ju4Bml7pgpIY1vWzJMQaET6zz5XG3kYqWcjG9s8lgsFA8k11CcJwh91fQmXpqvs6LIynUxfOEC12g=="),
    saltFirst(.hmacSHA256, "ZXfzoqGUjbYX4JP7Gmc3uPoPPdqfjvMxErRB/8LKbrs="),
    saltFirst(.hmacSHA1, "cea681zVJuegY5JBbqaSS01yvdg="),
    saltFirst(.hmacMD5, "tx+BrvOWwgK3GYzh7HXDEg=="),
  ]

  /// The message "abc" of FIPS 180 and RFC 1321, split in two.
  static func abc(_ algorithm: Algorithm, _ rounds: Int, _ hex: String) -> KnownVector {
    KnownVector(
      source: "FIPS 180 and RFC 1321, \(rounds) rounds",
      parameters: repeated(algorithm, rounds, .passwordFirst),
      password: "ab", salt: KnownVector.base64("c"), hash: KnownVector.base64(hex: hex))
  }

  static func thrice(_ algorithm: Algorithm, _ hash: String) -> KnownVector {
    KnownVector(
      source: "Python's hashlib, three rounds", parameters: repeated(algorithm, 3, nil),
      hash: hash)
  }

  static func once(_ algorithm: Algorithm, _ hash: String) -> KnownVector {
    KnownVector(
      source: "Python's hashlib, salt first", parameters: repeated(algorithm, 1, .saltFirst),
      hash: hash)
  }

  static let digests = [
    abc(
      .sha512, 1,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    abc(.sha256, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    abc(.sha1, 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    abc(.md5, 1, "900150983cd24fb0d6963f7d28e17f72"),
    abc(.md5, 0, "900150983cd24fb0d6963f7d28e17f72"),
    thrice(
      .sha512,
      "jo59jQ3rBn91ZWYISIFJdUJDOUobJLHpJ5BIkb4a7JvMfKuhxzfeZD0znd8bgaDr849HBFdPPtYTWx1GSF5TmA=="),
    thrice(.sha256, "jJDFlAbWjYfOgbZuzPpfcwanHMw08OSWxD49o0P9Wuo="),
    thrice(.sha1, "94SmbDgFILstskg81Q2+IPE3r84="),
    thrice(.md5, "T6IpIOZowAyfCWI0jFrUUA=="),
    once(
      .sha512,
      "AeLqqsLhM8kYGSHVIjXNpdh3lMIWmeYT7LHjueHA2Umu7rAaLRY8a+jkyzifv4j0YFrh1Oblx/iBB3Yiqhm2ag=="),
    once(.sha256, "StUnouC5Zvk/F4K0ttG5UJZcYRkiMlLFcAagN8/ClQ8="),
    once(.sha1, "yTZODjIiVGAmHOscGFQqvBOr6M0="),
    once(.md5, "GWH/kz/YrQH9EuMWa5CN9g=="),
  ]

  @Test(arguments: hmacs)
  func `an HMAC matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test(arguments: digests)
  func `a repeated digest matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test func `a digest of another length is refused at import`() {
    let error = #expect(throws: PasswordHasherError.self) {
      try ImportedPasswordHash(
        salt: "", hash: "T6IpIOZowAyfCWI0jFrUUA==", parameters: Self.repeated(.sha1, 1, nil))
    }

    #expect(error?.code == .malformedHash)
  }
}
