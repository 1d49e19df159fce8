import BuiltInProviders
import Testing

@Suite struct BcryptTests {
  static let parameters = sure { try PasswordHashParameters(algorithm: .bcrypt) }

  static func vector(_ text: String, _ password: String = "correct horse") -> KnownVector {
    KnownVector(
      source: text, parameters: parameters, password: password, salt: "",
      hash: KnownVector.base64(text))
  }

  // Computed by the crypt module of Python.
  static let vectors = [
    vector("$2a$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"),
    vector("$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2"),
    vector("$2y$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW"),
    // The same salt and digest as the first, with other unused bits in the salt's last letter.
    vector("$2a$04$abcdefghijklmnopqrstuvjydOTSfIH/d5oUHpsygqV5X9xJLQc6e"),
    vector("$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq", ""),
  ]

  @Test(arguments: vectors)
  func `a bcrypt hash matches its password`(vector: KnownVector) async throws {
    try await vector.check()
  }

  @Test func `a zero byte does not end a password`() async throws {
    let stored = try ImportedPasswordHash(
      salt: "",
      hash: KnownVector.base64("$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2"),
      parameters: Self.parameters
    ).encoded
    let hasher = PasswordHasher()

    #expect(
      try await hasher.verify("abc", against: stored, imported: [Self.parameters])
        == .match(rehashNeeded: true))
    #expect(
      try await hasher.verify("abc\0", against: stored, imported: [Self.parameters]) == .mismatch)
    #expect(
      try await hasher.verify("abc\0def", against: stored, imported: [Self.parameters]) == .mismatch
    )
  }

  @Test func `bcrypt reads the first 72 bytes of a password`() async throws {
    let stored = try ImportedPasswordHash(
      salt: "",
      hash: KnownVector.base64("$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"),
      parameters: Self.parameters
    ).encoded
    let hasher = PasswordHasher()
    let full = String(repeating: "x", count: 72)
    let long = String(repeating: "x", count: 4096)

    #expect(
      try await hasher.verify(full, against: stored, imported: [Self.parameters])
        == .match(rehashNeeded: true))
    #expect(
      try await hasher.verify(long, against: stored, imported: [Self.parameters])
        == .match(rehashNeeded: true))
    #expect(
      try await hasher.verify(String(full.dropLast()), against: stored, imported: [Self.parameters])
        == .mismatch)
  }

  @Test(arguments: [
    "$2b$31$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2",
    "$2b$03$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2",
    "$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy",
    "$6$abcdefgh$HNbAKRhpaujgo33bRWs.NLUTJO3lOy2HNbAKRhpaujgo33bR",
    "plain",
  ])
  func `a text that is no bcrypt hash of a bearable cost is refused at import`(text: String) {
    let error = #expect(throws: PasswordHasherError.self) {
      try ImportedPasswordHash(
        salt: "", hash: KnownVector.base64(text), parameters: Self.parameters)
    }

    #expect(error?.code == .malformedHash)
  }
}
