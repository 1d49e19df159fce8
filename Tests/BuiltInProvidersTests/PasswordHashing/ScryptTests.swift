import Foundation
import Testing

@testable import BuiltInProviders

@Suite struct ScryptTests {
  static func parameters(n: Int, r: Int, p: Int, length: Int) -> PasswordHashParameters {
    sure {
      try PasswordHashParameters(
        algorithm: .standardScrypt, memoryCost: n, parallelization: p, blockSize: r, dkLen: length)
    }
  }

  static let empty =
    "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"

  static let vectors = [
    KnownVector(
      source: "RFC 7914, no password and no salt",
      parameters: parameters(n: 16, r: 1, p: 1, length: 64),
      password: "", salt: "", hash: KnownVector.base64(hex: empty)),
    KnownVector(
      source: "RFC 7914", parameters: parameters(n: 1024, r: 8, p: 16, length: 64),
      password: "password",
      salt: KnownVector.base64("NaCl"),
      hash: KnownVector.base64(
        hex: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")),
    KnownVector(
      source: "OpenSSL, short output", parameters: parameters(n: 16, r: 8, p: 1, length: 32),
      hash: "2OuZjHJrMBkhatwMprwc1krHz2aPLctBi3sVvruXzhQ="),
    KnownVector(
      source: "OpenSSL, block size 32", parameters: parameters(n: 16, r: 32, p: 1, length: 64),
      hash:
        "hnI16IDww2zTwHB3hI6QKXRIEXryLeQC9ty5k7pyDKA7Mgi/2wr2IzYzXny3qUhaEbO+ttEsmBg888GroK4I0Q=="),
    KnownVector(
      source: "OpenSSL, odd block size", parameters: parameters(n: 64, r: 17, p: 1, length: 40),
      hash: "Pf8XeU9i9BdVisALpcBhczThyQmqhiEylZ3LnSfTNEONKM3RFvLhrA=="),
    KnownVector(
      source: "OpenSSL, two lanes of two blocks",
      parameters: parameters(n: 2, r: 33, p: 2, length: 32),
      hash: "yTBJP1yIQg6aMqglzC9iPDA5yczklz/PgQCMOgo0c8M="),
  ]

  @Test(arguments: vectors)
  func `a standard scrypt hash matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test func `both ways to compute agree`() throws {
    let scrypt = Scrypt(n: 16, r: 1, p: 1, length: 64)

    let derived = try scrypt.deriveByBlocks([], salt: [])

    #expect(Data(derived).base64EncodedString() == KnownVector.base64(hex: Self.empty))
    #expect(try derived == scrypt.derive([], salt: []))
  }
}
