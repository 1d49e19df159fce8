import AuthCore
import Testing

@testable import BuiltInProviders

/// The texts in which other systems store the hash of `opensesame`.
@Suite struct `Hash texts of other systems` {
  static let texts = [
    "$2b$04$abcdefghijklmnopqrstuuFuhxWRTXIsURoluSTZ1N4tYaWGn9oOi",
    "$argon2id$v=19$m=64,t=2,p=1$TmFDbE5hQ2xOYUNsTmFDbA$GoF8HKv8dtnEF07zUQa79wLJ8PipCqpNBRpyiyp/nSA",
    "$pbkdf2-sha256$i=1000,l=32$TmFDbE5hQ2xOYUNsTmFDbA$NHKfzVMyZjJf0dcOYJbsYqi9QwcEzexDDDWJ5ntd0ko",
    "$pbkdf2-sha256$1000$TmFDbE5hQ2xOYUNsTmFDbA$NHKfzVMyZjJf0dcOYJbsYqi9QwcEzexDDDWJ5ntd0ko",
    "$pbkdf2-sha512$i=1000,l=32$TmFDbE5hQ2xOYUNsTmFDbA==$KwisksMQSTJjBImuPNOLUfo6xcIAT9HxVn82Bjqg8mQ=",
    "$scrypt$ln=1024,r=8,p=1$TmFDbE5hQ2xOYUNsTmFDbA==$x4NCh3jLjyzp0cZSRgjsT7i6l2WkFMTSQHf7Uh+4jXg=",
    "$scrypt$ln=10,r=8,p=1$TmFDbE5hQ2xOYUNsTmFDbA$x4NCh3jLjyzp0cZSRgjsT7i6l2WkFMTSQHf7Uh+4jXg",
    "$sha256$pf=e1NBTFR9e1BBU1NXT1JEfQ==$c2FsdA==$swrDAYLxrgTyIcP7Y9k8Blj2GRJfzGClOMFi/D6r0lk=",
    "$hmac-sha256$p2e1eVIJqhyEe+TJCnvsNHA5XqAzFOw2sZh8a3MMRaI=$dGhlIGtleQ==",
    "{SSHA512}w5g023HjCDtileOi5qV2ROHh3fxrox9keJvwNjvou/aDOpY1zxF7J7RYyWLRiuVkk9PajtB1ENihZrHZzjeb4nNhbHRzYWx0",
  ]

  @Test(arguments: texts)
  func `each verifies the password and no other`(_ text: String) throws {
    let encoded = try EncodedHash(text)
    let passwords = PasswordImport(nil)
    let stored = try #require(
      try passwords.stored(
        encoded.hash, salt: encoded.salt, parameters: .object(encoded.parameters)))
    let imported = try #require(ImportedPasswordHash(parsing: stored))
    let parameters = try #require(passwords.parameters[imported.parameterSetID])
    let hash = try LegacyHash(imported, parameters)

    #expect(try hash.matches(Array("opensesame".utf8)))
    #expect(try !hash.matches(Array("opensesamf".utf8)))
  }

  @Test(arguments: [
    "", "opensesame", "$", "$$", "$6$salt$hash", "$1$salt$hash", "{CRYPT}x", "{SSHA}eA==",
    "$argon2id$v=19$m=64,t=2$c2FsdA", "$pbkdf2-sha256$x$y$z", "$scrypt$ln=-1,r=8,p=1$eA$eA",
    "$sha256$pf=eA==$eA$eA", "$P$B12345678901234567890123456789", "$2b$10$short",
  ])
  func `a text that cannot be checked is refused, and is not in the message`(_ text: String) {
    do {
      _ = try EncodedHash(text)
      Issue.record("\(text) was taken")
    } catch {
      #expect(text.utf8.count < 10 || !error.message.contains(text.suffix(8)))
    }
  }
}
