import BuiltInProviders
import Testing

@Suite struct PBKDF2Tests {
  static let vectors = [
    KnownVector(
      source: "RFC 6070, once", parameters: sha1(rounds: 1), password: "password",
      salt: KnownVector.base64("salt"),
      hash: KnownVector.base64(hex: "0c60c80f961f0e71f3a9b524af6012062fe037a6")),
    KnownVector(
      source: "RFC 6070, 0 rounds are one", parameters: sha1(rounds: 0), password: "password",
      salt: KnownVector.base64("salt"),
      hash: KnownVector.base64(hex: "0c60c80f961f0e71f3a9b524af6012062fe037a6")),
    KnownVector(
      source: "RFC 6070, 4096 times", parameters: sha1(rounds: 4096), password: "password",
      salt: KnownVector.base64("salt"),
      hash: KnownVector.base64(hex: "4b007901b765489abead49d926f721d065a429c1")),
    KnownVector(
      source: "RFC 6070, 25 bytes", parameters: sha1(rounds: 4096),
      password: "passwordPASSWORDpassword",
      salt: KnownVector.base64("saltSALTsaltSALTsaltSALTsaltSALTsalt"),
      hash: KnownVector.base64(hex: "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038")),
    KnownVector(
      source: "RFC 7914", parameters: sha256(rounds: 1), password: "passwd",
      salt: KnownVector.base64("salt"),
      hash: KnownVector.base64(
        hex: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")),
    KnownVector(
      source: "Python's hashlib", parameters: sha256(rounds: 1000),
      hash: "82F04Vi5y2Ue3mj8hbx5zP/JXmmEryU4rT/XezOhpUQ="),
  ]

  static func sha1(rounds: Int) -> PasswordHashParameters {
    sure { try PasswordHashParameters(algorithm: .pbkdfSHA1, rounds: rounds) }
  }

  static func sha256(rounds: Int) -> PasswordHashParameters {
    sure { try PasswordHashParameters(algorithm: .pbkdf2SHA256, rounds: rounds) }
  }

  @Test(arguments: vectors)
  func `a PBKDF2 hash matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test func `an empty password is compared like any other`() async throws {
    let parameters = Self.sha256(rounds: 1)
    let hasher = PasswordHasher()
    let stored = try ImportedPasswordHash(
      salt: "", hash: Self.vectors[5].hash, parameters: parameters)

    #expect(
      try await hasher.verify("", against: stored.encoded, imported: [parameters]) == .mismatch)
  }

  @Test func `a hash of too few bytes is refused, for it would match by chance`() {
    #expect(throws: PasswordHasherError.self) {
      try ImportedPasswordHash(salt: "", hash: "AAAA", parameters: Self.sha1(rounds: 1))
    }
  }
}
