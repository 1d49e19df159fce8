import AuthCore
import Foundation
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Passwords that other systems hashed sign in after an upload, for every algorithm.
@Suite struct `Uploaded password hashes` {
  struct Vector: Sendable, CustomTestStringConvertible {
    let parameters: [String: JSONValue]
    let password: String
    var salt: String?
    let hash: String

    var testDescription: String { parameters["hashAlgorithm"]?.stringValue ?? "" }
  }

  private static func base64(hex: String) -> String { webSafe(Data(hex: hex)) }

  private static func base64(_ text: String) -> String { webSafe(Data(text.utf8)) }

  private static func webSafe(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// Returns the second case of RFC 2202 and RFC 4231, split into a password and a salt.
  private static func hmac(_ algorithm: String, _ hex: String) -> Vector {
    Vector(
      parameters: [
        "hashAlgorithm": .string(algorithm), "signerKey": .string(base64("Jefe")),
        "passwordHashOrder": "PASSWORD_AND_SALT",
      ], password: "what do ya want ", salt: base64("for nothing?"), hash: base64(hex: hex))
  }

  /// Returns the digest of "abc", which every specification contains.
  private static func digest(_ algorithm: String, _ hex: String) -> Vector {
    Vector(
      parameters: [
        "hashAlgorithm": .string(algorithm), "rounds": 1, "passwordHashOrder": "SALT_AND_PASSWORD",
      ], password: "bc", salt: base64("a"), hash: base64(hex: hex))
  }

  static let vectors: [Vector] = [
    Vector(
      parameters: [
        "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
        "signerKey":
          "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
      ], password: "user1password", salt: "42xEC-ixf3L2lw==",
      hash:
        "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ=="),
    Vector(
      parameters: [
        "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1024, "blockSize": 8,
        "parallelization": 16, "dkLen": 64,
      ], password: "password", salt: base64("NaCl"),
      hash: base64(
        hex: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")),
    Vector(
      parameters: ["hashAlgorithm": "BCRYPT"], password: "correct horse",
      hash: base64("$2a$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e")),
    Vector(
      parameters: ["hashAlgorithm": "PBKDF2_SHA256", "rounds": 1], password: "passwd",
      salt: base64("salt"),
      hash: base64(
        hex: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")),
    Vector(
      parameters: ["hashAlgorithm": "PBKDF_SHA1", "rounds": 4096], password: "password",
      salt: base64("salt"), hash: base64(hex: "4b007901b765489abead49d926f721d065a429c1")),
    hmac("HMAC_MD5", "750c783e6ab0b503eaa86e310a5db738"),
    hmac("HMAC_SHA1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    hmac("HMAC_SHA256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    hmac(
      "HMAC_SHA512",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
    digest("MD5", "900150983cd24fb0d6963f7d28e17f72"),
    digest("SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    digest("SHA256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    digest(
      "SHA512",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    Vector(
      parameters: [
        "hashAlgorithm": "ARGON2",
        "argon2Parameters": [
          "hashType": "ARGON2_ID", "hashLengthBytes": 32, "iterations": 2, "parallelism": 1,
          "memoryCostKib": 64, "version": "VERSION_13",
        ],
      ], password: "correct horse", salt: base64("pepper&salt!"),
      hash: "OOYq9G+9X42NCj4NtttkDjtzcWkUtfVe/P6xXfmq7jA="),
  ]

  @Test(arguments: vectors)
  func `the right password signs in and another one does not`(_ vector: Vector) async throws {
    try await withServer(.production) { home in
      var user: [String: JSONValue] = [
        "localId": "u", "email": "ada@example.com", "passwordHash": .string(vector.hash),
      ]
      user["salt"] = vector.salt.map(JSONValue.string)
      let reply = try await home.upload([.object(user)], vector.parameters)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["error"] == nil, "\(reply.text)")

      // The downloaded hash is the uploaded one until the first sign-in.
      let users = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      let downloaded = users?.items.first?["passwordHash"]?.stringValue
      #expect(downloaded?.filter { $0 != "=" } == Self.webSafe(vector.hash).filter { $0 != "=" })

      func signIn(_ password: String) async throws -> Reply {
        try await home.post(
          "/v1/accounts:signInWithPassword",
          ["email": "ada@example.com", "password": .string(password), "returnSecureToken": true])
      }
      let wrong = try await signIn(vector.password + "r")
      #expect(wrong.message == "INVALID_LOGIN_CREDENTIALS")
      let right = try await signIn(vector.password)
      #expect(right.status == 200, "\(right.text)")
      #expect(right.json["localId"] == "u")
      // That sign-in replaced the hash, and the new one matches too.
      #expect(try await signIn(vector.password).status == 200)
    }
  }

  private static func webSafe(_ text: String) -> String {
    text.replacing("+", with: "-").replacing("/", with: "_")
  }

  @Test func `impossible parameters are refused with their fault`() async throws {
    try await withServer(.production) { home in
      let cases: [([String: JSONValue], String)] = [
        (["hashAlgorithm": "ROT13"], "hash-algo"),
        (["hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14], "hash-key"),
        (["hashAlgorithm": "SHA256", "rounds": 9000], "rounds"),
        (["hashAlgorithm": "ARGON2"], "argon2"),
      ]
      for (parameters, field) in cases {
        let reply = try await home.upload([["localId": "a"]], parameters)
        #expect(reply.status == 400)
        #expect(reply.message?.hasPrefix("INVALID_HASH_PARAMETERS : ") == true, "\(reply.text)")
        #expect(reply.message?.contains(field) == true, "\(reply.text)")
        // A key is a secret, and no error repeats it.
        #expect(reply.text.contains("signerKey") == false)
      }
      let unsaid = try await home.fault(of: [
        "localId": "a", "email": "a@example.com", "passwordHash": "AAAA",
      ])
      #expect(unsaid?.contains("hash algorithm") == true)
    }
  }

  @Test func `the emulator takes any parameters and any hash`() async throws {
    try await withServer(.emulator) { home in
      let fault = try await home.fault(
        of: ["localId": "a", "email": "a@example.com", "passwordHash": "AAAA", "salt": "BBBB"],
        ["hashAlgorithm": "ROT13"])
      #expect(fault == nil)
      let users = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      #expect(users?.items.first?["passwordHash"] == "AAAA")
      #expect(users?.items.first?["salt"] == "BBBB")
    }
  }
}
