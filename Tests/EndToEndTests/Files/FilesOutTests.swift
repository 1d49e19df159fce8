@testable import BuiltInProviders
import AuthCore
import Foundation
import Testing
import TestSupport

/// An export moves every account to another store (P3), and one for Firebase's tools is one that they read (P8).
@Suite struct `Files out` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A person with a password of some kind.
  private struct Person {
    let uid: String
    let password: String
    let record: String
    /// The hash parameters as options; nil if the record states them.
    let options: [String: JSONValue]?
  }

  private static let appSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  private static let salt = Array("saltsaltsaltsalt".utf8)

  /// Makes a person whose password is hashed here, with parameters.
  private static func person(
    _ uid: String, _ parameters: PasswordHashParameters, extra: String = "",
    _ hash: (LegacyHash, [UInt8]) throws -> [UInt8]
  ) throws -> Person {
    let made = try hash(
      LegacyHash(parameters, salt: salt, stored: [UInt8](repeating: 0, count: 32)),
      Array("pw-\(uid)".utf8))
    return Person(
      uid: uid, password: "pw-\(uid)",
      record: record(
        uid, hash: Data(made).base64EncodedString(), salt: Data(salt).base64EncodedString(),
        extra: extra),
      options: parameters.optionValues)
  }

  private static func record(
    _ uid: String, hash: String, salt: String? = nil, extra: String = ""
  ) -> String {
    #"{"localId":"\#(uid)","email":"\#(uid)@example.com","emailVerified":true,"passwordHash":"\#(hash)""#
      + (salt.map { #","salt":"\#($0)""# } ?? "") + extra + "}"
  }

  /// Makes one person for each kind of hash, some twice with other parameters, and for each kind of second factor.
  private static func people() throws -> [Person] {
    let firebase = try PasswordHashParameters(
      algorithm: .scrypt, key: Data("one signer key".utf8), saltSeparator: Data([7]), rounds: 8,
      memoryCost: 4)
    let otherProject = try PasswordHashParameters(
      algorithm: .scrypt, key: Data("another signer key".utf8), rounds: 8, memoryCost: 4)
    let argon = PasswordHashParameters.Argon2(
      variant: .i, hashLength: 32, iterations: 2, parallelism: 1, memoryKiB: 64)
    var people: [Person] = []
    for rounds in [1000, 27_500] {
      let parameters = try PasswordHashParameters(algorithm: .pbkdf2SHA256, rounds: rounds)
      people.append(try person("pbkdf2-\(rounds)", parameters) { try $0.pbkdf2($1) })
    }
    people.append(
      try person("pbkdf", try PasswordHashParameters(algorithm: .pbkdfSHA1, rounds: 10)) {
        try $0.pbkdf2($1)
      })
    let apps =
      #","mfaInfo":[{"mfaEnrollmentId":"app","displayName":"phone","totpInfo":{"sharedSecretKey":"\#(appSecret)"}}]"#
    people.append(try person("scrypt", firebase, extra: apps) { try $0.modifiedScrypt($1) })
    let phone = #","mfaInfo":[{"mfaEnrollmentId":"sms","phoneInfo":"+16505550101"}]"#
    people.append(try person("scrypt2", otherProject, extra: phone) { try $0.modifiedScrypt($1) })
    people.append(
      try person(
        "standard",
        try PasswordHashParameters(
          algorithm: .standardScrypt, memoryCost: 16, parallelization: 1, blockSize: 8, dkLen: 32)
      ) { try $0.standardScrypt($1) })
    people.append(
      try person("argon", try PasswordHashParameters(algorithm: .argon2, argon2: argon)) {
        try $0.argon2($1)
      })
    for algorithm in [
      PasswordHashParameters.Algorithm.hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5,
    ] {
      let parameters = try PasswordHashParameters(algorithm: algorithm, key: Data("key".utf8))
      people.append(
        try person(algorithm.rawValue.lowercased(), parameters) { $0.hmac($1 + salt) })
    }
    for algorithm in [PasswordHashParameters.Algorithm.sha512, .sha256, .sha1, .md5] {
      let parameters = try PasswordHashParameters(
        algorithm: algorithm, rounds: algorithm == .md5 ? 0 : 2, inputOrder: .saltFirst)
      people.append(
        try person(algorithm.rawValue.lowercased(), parameters) { $0.repeatedDigest(salt + $1) })
    }
    people.append(
      Person(
        uid: "bcrypt", password: "secret12",
        record: record(
          "bcrypt",
          hash:
            "JDJiJDA0JGRNNUx6TWNVVDIvLlJ6emNOc0pTU09jSnY1WTM3ekJteXYySlYwcUtEZXV3MWdudnNSTUlL"),
        options: ["hash-algo": "BCRYPT"]))
    return people
  }

  private func fill(_ folder: TemporaryFolder, _ people: [Person]) throws {
    for person in people {
      let outcome = try Program.run(
        [
          "import", folder.write("\(person.uid).json", "{\"users\": [\n\(person.record)\n]}\n"),
          "--hash-parameters",
          folder.write("hash.json", JSONValue.object(person.options ?? [:]).text),
        ], in: folder)
      #expect(outcome.output == "1 imported, 0 refused\n", "\(person.uid) \(outcome.errors)")
    }
    try folder.lua("accounts.create { email = 'own@example.com', password = 'pw-own' }")
  }

  /// Signs every account in, and returns the failed ones.
  ///
  /// A sign-in replaces the hash with one of our own, so a copy of the store is used.
  private func shutOut(_ folder: TemporaryFolder, _ people: [Person]) throws -> String {
    let copy = try TemporaryFolder()
    for end in ["", ".key"] where FileManager.default.fileExists(atPath: folder.store + end) {
      try FileManager.default.copyItem(atPath: folder.store + end, toPath: copy.store + end)
    }
    let code = try #require(HMACTOTP().code(for: Secret(Self.appSecret), at: .now()))
    let own = Person(uid: "own", password: "pw-own", record: "", options: nil)
    let lines = (people + [own]).map { person in
      let factor = ["scrypt": "app", "scrypt2": "sms"][person.uid] ?? ""
      return "enter('\(person.uid)', '\(person.password)', '\(factor)')"
    }
    return try copy.lua(
      """
      function enter(name, word, factor)
        local done, result = pcall(function()
          local r = auth.signIn(providers.password.credential { email = name .. '@example.com', password = word })
          if factor == '' then return r.account.email end
          if factor == 'sms' then return r.hints[1].factorID == 'phone' and name .. '@example.com' end
          return r:resolve('\(code)').account.email
        end)
        if not done or result ~= name .. '@example.com' then print(name, result) end
      end
      \(lines.joined(separator: "\n"))
      """)
  }

  @Test func `P3: every account signs in again after an export and an import without options`()
    throws
  {
    let people = try Self.people()
    try fill(folder, people)
    let shutOutBefore = try shutOut(folder, people)
    #expect(shutOutBefore == "")

    let export = try Program.run(["export", "\(folder.path)/out.json"], in: folder)
    let second = try TemporaryFolder()
    let outcome = try Program.run(["import", "\(folder.path)/out.json"], in: second)

    #expect(export.errors == "\(people.count + 1) accounts exported to \(folder.path)/out.json\n")
    #expect(outcome.output == "\(people.count + 1) imported, 0 refused\n", "\(outcome.errors)")
    #expect(try shutOut(second, people) == "")
    #expect(try Program.run(["export"], in: second).output == folder.read("out.json"))
    let again = try Program.run(["import", "\(folder.path)/out.json"], in: second)
    #expect(again.output == "0 imported, \(people.count + 1) there already, 0 refused\n")
    let third = try TemporaryFolder()
    let bulk = try Program.run(["import", "--bulk", "\(folder.path)/out.json"], in: third)
    #expect(bulk.output == "\(people.count + 1) imported, 0 refused\n", "\(bulk.errors)")
    #expect(try shutOut(third, people) == "")
    // The hash options of one file do not describe hashes from others.
    let fourth = try TemporaryFolder()
    _ = try Program.run(
      ["import", "\(folder.path)/out.json", "--hash-algo", "BCRYPT"], in: fourth)
    #expect(try shutOut(fourth, people) == "")
  }

  @Test func `P3: an account without an address, or with further ways in, comes back whole`()
    throws
  {
    let file = try folder.write(
      "users.json",
      """
      {"users": [
      {"customAuth":true,"disabled":false,"localId":"a","providerUserInfo":[]},
      {"disabled":false,"email":"b@example.com","emailLinkSignin":true,"emailVerified":true,"localId":"b","providerUserInfo":[{"isFurther":true,"providerId":"phone","rawId":"+12345678902"}]},
      {"disabled":false,"hasFactorsWithoutEmail":true,"localId":"c","mfaInfo":[{"enrolledAt":"2024-05-01T12:00:00Z","mfaEnrollmentId":"m","phoneInfo":"+16505550101"}],"providerUserInfo":[{"providerId":"github.com","rawId":"1"}]}
      ]}
      """)
    let outcome = try Program.run(["import", file], in: folder)
    let export = try Program.run(["export"], in: folder).output
    let second = try TemporaryFolder()
    let again = try Program.run(["import", second.write("out.json", export)], in: second)

    #expect(outcome.output == "3 imported, 0 refused\n", "\(outcome.errors)")
    #expect(again.output == "3 imported, 0 refused\n", "\(again.errors)")
    #expect(try Program.run(["export"], in: second).output == export)
    #expect(try second.lua("accounts.get('a').isAnonymous") == "false")
    #expect(export.contains(#""emailLinkSignin":true"#))
  }

  /// Applies the rules of firebase-tools' `validateUserJson`; returns the first fault.
  private func fault(_ export: String) throws -> String? {
    let keys: Set = [
      "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl",
      "createdAt", "lastSignedInAt", "providerUserInfo", "phoneNumber", "disabled",
      "customAttributes", "mfaInfo",
    ]
    let entryKeys: Set = ["providerId", "rawId", "email", "displayName", "photoUrl"]
    let providers: Set = [
      "google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com",
      "gc.apple.com", "playgames.google.com", "linkedin.com", "yahoo.com",
    ]
    guard case .array(let users)? = try JSONValue(text: export)["users"] else { return "no users" }
    for case .object(let user) in users {
      if let key = user.keys.first(where: { !keys.contains($0) }) { return key }
      for name in ["passwordHash", "salt"] {
        guard let text = user[name]?.stringValue else { continue }
        guard Data(base64Encoded: text)?.base64EncodedString() == text else { return name }
      }
      guard case .array(let entries)? = user["providerUserInfo"] else { continue }
      for case .object(let entry) in entries {
        if let key = entry.keys.first(where: { !entryKeys.contains($0) }) { return "entry \(key)" }
        let id = entry["providerId"]?.stringValue ?? ""
        guard providers.contains(id) else { return "provider \(id)" }
      }
    }
    return nil
  }

  @Test func `P8: an export for Firebase is what its tools read, and what stays out is counted`()
    throws
  {
    let people = try Self.people().filter { ["scrypt", "scrypt2", "bcrypt"].contains($0.uid) }
    let third = try Self.person(
      "scrypt3",
      try PasswordHashParameters(
        algorithm: .scrypt, key: Data("one signer key".utf8), saltSeparator: Data([7]), rounds: 8,
        memoryCost: 4)
    ) { try $0.modifiedScrypt($1) }
    try fill(folder, people + [third])
    let file = try folder.write(
      "more.json",
      """
      {"users": [
      {"localId":"x1","displayName":"Newer","email":"new@example.com","providerUserInfo":[{"displayName":"New","providerId":"password","rawId":"new@example.com"}],"screenName":"newer"},
      {"localId":"x2","phoneNumber":"+12345678901","providerUserInfo":[{"providerId":"phone","rawId":"+12345678901","phoneNumber":"+12345678901"},{"providerId":"oidc.work","rawId":"1"},{"providerId":"discord.com","rawId":"2"},{"providerId":"github.com","rawId":"3","screenName":"hub"}]},
      {"localId":"x3","providerUserInfo":[{"providerId":"microsoft.com","issuer":"https://login.microsoftonline.com/t/v2.0","rawId":"t.0a1b"}]}
      ]}
      """)
    #expect(
      try Program.run(["import", file], in: folder).output == "3 imported, 0 refused\n")

    let outcome = try Program.run(["export", "--for", "firebase"], in: folder)
    let allowed = try Program.run(
      ["export", "--for", "firebase", "--allow-losses"], in: folder)
    let chosen = try Program.run(
      ["export", "--for", "firebase", "--hashes", "bcrypt", "--allow-losses"], in: folder)
    let none = try Program.run(["export", "--for", "firebase", "--hashes", "MD5"], in: folder)

    #expect(try fault(outcome.output) == nil)
    #expect(outcome.status == 2 && allowed.status == 0 && allowed.output == outcome.output)
    #expect(
      outcome.errors.contains("3 password hashes (Argon2id of AuthGraph 1, BCRYPT (")
        && outcome.errors.contains("1 second factors (authenticator app 1)")
        && outcome.errors.contains("2 links (discord.com 1, oidc.work 1)")
        && outcome.errors.contains("2 keys (providerUserInfo.screenName 1, screenName 1)"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("--hash-algo=SCRYPT --hash-key=KEY"), "\(outcome.errors)")
    #expect(!outcome.errors.contains(Data("one signer key".utf8).base64EncodedString()))
    #expect(outcome.output.contains(#"{"providerId":"microsoft.com","rawId":"0a1b"}"#))
    #expect(outcome.output.contains("+16505550101"))
    #expect(outcome.output.components(separatedBy: "\"passwordHash\"").count == 3)
    #expect(
      chosen.status == 0 && chosen.output.components(separatedBy: "\"passwordHash\"").count == 2)
    #expect(none.status == 1 && none.errors.contains("(hashes)"), "\(none.errors)")
    #expect(try Program.run(["export", "--allow-losses"], in: folder).status != 0)
  }

  @Test func `P8: an MD5 digest goes out as the hexadecimal text that Firebase takes`() throws {
    let people = try Self.people().filter { $0.uid == "md5" }
    try fill(folder, people)

    let outcome = try Program.run(["export", "--for", "firebase", "--allow-losses"], in: folder)

    let match = try #require(outcome.output.firstMatch(of: /"passwordHash":"([^"]+)"/))
    let text = Data(base64Encoded: String(match.1)).map { String(decoding: $0, as: UTF8.self) }
    #expect(text?.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(outcome.output)")
    let second = try TemporaryFolder()
    _ = try Program.run(
      [
        "import", second.write("out.json", outcome.output), "--hash-algo", "MD5", "--rounds", "0",
        "--hash-input-order", "SALT_FIRST",
      ], in: second)
    #expect(
      try second.lua(
        "print(auth.signIn(providers.password.credential { email = 'md5@example.com', password = 'pw-md5' }).account.uid)"
      ) == "md5")
  }
}
