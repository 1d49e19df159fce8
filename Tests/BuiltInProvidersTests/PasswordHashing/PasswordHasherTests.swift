import BuiltInProviders
import Testing

@Suite struct PasswordHasherTests {
  static let cheap = PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
  let hasher = PasswordHasher(cost: cheap)

  // Computed by OpenSSL's Argon2id.
  static let known =
    "$argon2id$v=19$m=64,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$g5An9Y8NltcTUUs3dmw9S393oURtmXqz4bgAuoKH0sM"
  static let knownAtOWASP =
    "$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBieXRlcyBvaw"
    + "$Oq6NUf8oUawuVWIqWRRrB80MYlKfkN6Nm4K6m5hBrTw"

  @Test func `a new hash says its numbers and matches its password only`() async throws {
    let stored = try await hasher.hash("pässwörd")

    #expect(stored.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
    #expect(try await hasher.verify("pässwörd", against: stored) == .match(rehashNeeded: false))
    #expect(try await hasher.verify("passwörd", against: stored) == .mismatch)
    #expect(try await hasher.verify("", against: stored) == .mismatch)
  }

  @Test func `another implementation's Argon2id text matches`() async throws {
    let outcome = try await hasher.verify("correct horse", against: Self.known)

    #expect(outcome == .match(rehashNeeded: false))
  }

  @Test func `the default cost is the one that OWASP names`() async throws {
    let hasher = PasswordHasher()

    let outcome = try await hasher.verify("correct horse", against: Self.knownAtOWASP)

    #expect(outcome == .match(rehashNeeded: false))
    #expect(try await hasher.hash("x").hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
  }

  @Test func `a hash of another cost asks to be made anew`() async throws {
    let dearer = PasswordHasher(cost: .init(memoryKiB: 128, iterations: 1, parallelism: 1))

    let outcome = try await dearer.verify("correct horse", against: Self.known)

    #expect(outcome == .match(rehashNeeded: true))
  }

  @Test func `two hashes of one password differ`() async throws {
    #expect(try await hasher.hash("twin") != hasher.hash("twin"))
  }

  @Test func `composed and decomposed letters are different passwords`() async throws {
    let stored = try await hasher.hash("caf\u{E9}")

    #expect(try await hasher.verify("cafe\u{301}", against: stored) == .mismatch)
  }

  @Test func `a zero byte does not end a password`() async throws {
    let stored = try await hasher.hash("abc")

    #expect(try await hasher.verify("abc\0", against: stored) == .mismatch)
  }

  @Test func `a password of 4096 bytes is taken and one more refused`() async throws {
    let longest = String(repeating: "é", count: 2048)

    let stored = try await hasher.hash(longest)
    let error = await #expect(throws: PasswordHasherError.self) {
      try await hasher.verify(longest + "x", against: stored)
    }

    #expect(try await hasher.verify(longest, against: stored) == .match(rehashNeeded: false))
    #expect(error?.code == .passwordTooLong)
    await #expect(throws: PasswordHasherError.self) { try await hasher.hash(longest + "x") }
  }

  @Test(arguments: [
    "", "plain", "$argon2id$", "$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2",
    "$argon2id$v=19$m=4194304,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$g5An9Y8NltcTUUs3dmw9S393oURtmXqz",
    "$argon2id$v=19$m=64,t=999,p=1$c2l4dGVlbiBieXRlcyBvaw$g5An9Y8NltcTUUs3dmw9S393oURtmXqz",
    "$argon2id$v=19$m=64,t=1,p=0$c2l4dGVlbiBieXRlcyBvaw$g5An9Y8NltcTUUs3dmw9S393oURtmXqz",
    "$argon2id$v=19$m=64,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$AAAA",
    "$argon2id$v=19$m=64,t=1,p=1$$g5An9Y8NltcTUUs3dmw9S393oURtmXqz4bgAuoKH0sM",
  ])
  func `a stored text that nothing here wrote is an error, not a mismatch`(
    text: String
  ) async throws {
    let error = await #expect(throws: PasswordHasherError.self) {
      try await hasher.verify("x", against: text)
    }

    #expect(error?.code == .malformedHash)
  }

  @Test func `an imported hash whose parameters are gone is an error that names them`() async {
    let error = await #expect(throws: PasswordHasherError.self) {
      try await hasher.verify("x", against: "$firebase$0123456789abcdef$AAAA$AAAA")
    }

    #expect(error?.code == .unknownParameters)
    #expect(error?.message.contains("0123456789abcdef") == true)
  }

  @Test func `an error shows neither password nor hash`() async {
    let error = await #expect(throws: PasswordHasherError.self) {
      try await hasher.verify("s3cret", against: "$argon2id$h4sh")
    }

    #expect(error?.description.contains("s3cret") == false)
    #expect(error?.description.contains("h4sh") == false)
  }

  @Test(arguments: ["", "somebody"])
  func `no password matches if no hash is stored`(password: String) async throws {
    #expect(try await hasher.verify(password, against: nil) == .mismatch)
  }
}
