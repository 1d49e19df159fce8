import BuiltInProviders
import Testing

@Suite struct ImportedPasswordHashTests {
  let set = "0123456789abcdef"

  @Test(arguments: [
    ("kAJK1r2jQBvpyMvM", "T6IpIOZowAyfCWI0jFrUUA=="), ("", "T6IpIOZowAyfCWI0jFrUUA"),
    ("-_-_", "+/+/"),
  ])
  func `an export gives back the texts of the import`(salt: String, hash: String) throws {
    let imported = try ImportedPasswordHash(parameterSetID: set, salt: salt, hash: hash)

    #expect(imported.encoded == "$firebase$\(set)$\(salt)$\(hash)")
    #expect(ImportedPasswordHash(parsing: imported.encoded) == imported)
    #expect(ImportedPasswordHash(parsing: imported.encoded)?.salt == salt)
    #expect(ImportedPasswordHash(parsing: imported.encoded)?.hash == hash)
  }

  @Test(arguments: [
    "", "$", "$firebase$", "firebase$0123456789abcdef$AAAA$AAAA",
    "$firebase$0123456789abcdef$AAAA$", "$firebase$0123456789ABCDEF$AAAA$AAAA",
    "$firebase$0123456789abcde$AAAA$AAAA", "$firebase$0123456789abcdef$AAAA$AAAA$AAAA",
    "$firebase$0123456789abcdef$A$AAAA", "$firebase$0123456789abcdef$AAAA$AA AA",
    "$argon2id$v=19$m=64,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$g5An9Y8NltcTUUs3dmw9S393oURtmXqz4bg",
  ])
  func `another text is no imported hash`(text: String) {
    #expect(ImportedPasswordHash(parsing: text) == nil)
  }

  @Test(arguments: [("AA$A", "AAAA"), ("AAAA", "AA$A"), ("AAAA", ""), ("A", "AAAA"), ("é", "AAAA")])
  func `texts that are not base64 are refused`(salt: String, hash: String) {
    let error = #expect(throws: PasswordHasherError.self) {
      try ImportedPasswordHash(parameterSetID: set, salt: salt, hash: hash)
    }

    #expect(error?.code == .malformedHash)
  }
}
