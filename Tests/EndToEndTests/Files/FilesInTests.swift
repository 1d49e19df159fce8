import AuthCore
import BuiltInProviders
import Foundation
import Testing
import TestSupport

/// Files in real formats: exports of Firebase's tools, dumps of its REST interface, tables.
@Suite struct `Files in` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func load(_ users: String, _ options: String...) throws -> Program.Outcome {
    try Program.run(
      ["import", folder.write("users.json", "{\"users\": [\n\(users)\n]}\n")] + options, in: folder)
  }

  /// Returns the uid of the account that an address and a password sign in to.
  private func enter(_ email: String, _ password: String) throws -> String {
    try folder.lua(
      "print(auth.signIn(providers.password.credential { email = '\(email)', "
        + "password = '\(password)' }).account.uid)")
  }

  @Test func `P4: hexadecimal MD5 signs in`() throws {
    let outcome = try load(
      #"{"localId":"m1","email":"m1@example.com","passwordHash":"NzJkNGE1YTViNjA1YzUzYWUxYWM0NzhkOWE0OTc3ZDc="},"#
        + "\n"
        + #"{"localId":"m2","email":"m2@example.com","passwordHash":"Yzg1MmNiYjlmNDUwZWYwYWMxMWUwNDg5Mzk0NWQ5YmY=","salt":"TmFDbA=="}"#,
      "--hash-algo", "MD5", "--rounds", "0", "--hash-input-order", "SALT_FIRST")

    #expect(outcome.output == "2 imported, 0 refused\n", "\(outcome.errors)")
    #expect(try enter("m1@example.com", "tester5") == "m1")
    #expect(try enter("m2@example.com", "secret12") == "m2")
  }

  @Test func `P6: the addresses of a REST answer give subjects`() throws {
    let outcome = try load(
      #"{"localId":"f1","email":"f1@example.com","providerUserInfo":[{"providerId":"google.com","federatedId":"https://accounts.google.com/1234567890","email":"f1@example.com"}]},"#
        + "\n"
        + #"{"localId":"f2","email":"f2@example.com","providerUserInfo":[{"providerId":"facebook.com","federatedId":"http://facebook.com/555","email":"f2@example.com"}]},"#
        + "\n"
        + #"{"localId":"f3","phoneNumber":"+12345678901","providerUserInfo":[{"providerId":"phone","federatedId":""},{"providerId":"phone","rawId":"+12345678901","phoneNumber":"+12345678901"}]}"#
    )

    #expect(outcome.output == "3 imported, 0 refused\n", "\(outcome.errors)")
    #expect(
      try folder.lua(
        "for _, uid in ipairs { 'f1', 'f2', 'f3' } do print(accounts.get(uid).providerData[1].uid) end"
      ) == "1234567890\n555\n+12345678901")
  }

  @Test func `P7: second factors have the rules of the REST door`() throws {
    let outcome = try load(
      #"{"localId":"f1","email":"f1@example.com","emailVerified":false,"mfaInfo":[{"mfaEnrollmentId":"x","phoneInfo":"+16505550101"}]},"#
        + "\n"
        + #"{"localId":"f2","phoneNumber":"+12345678901","mfaInfo":[{"mfaEnrollmentId":"x","phoneInfo":"+16505550101"}]},"#
        + "\n"
        + #"{"localId":"f3","email":"f3@example.com","emailVerified":true,"mfaInfo":[{"mfaEnrollmentId":"x","phoneInfo":"+16505550101"},{"mfaEnrollmentId":"x","phoneInfo":"+16505550102"}]}"#
    )

    #expect(outcome.status == 2 && outcome.output == "0 imported, 3 refused\n")
    #expect(outcome.errors.contains(":2: f1 is refused: unverified-email (mfaInfo)"))
    #expect(outcome.errors.contains(":3: f2 is refused: unverified-email (mfaInfo)"))
    #expect(outcome.errors.contains(":4: f3 is refused: invalid-argument (mfaInfo)"))
  }

  @Test func `P7: empty texts are absent, and a time is one`() throws {
    let outcome = try load(
      #"{"localId":"q1","email":"","phoneNumber":"+12345678901"},"# + "\n"
        + #"{"localId":"q2","email":"q2@example.com","phoneNumber":"","salt":""},"# + "\n"
        + #"{"localId":"q3","createdAt":"2021-05-14T01:42:53Z"},"# + "\n"
        + #"{"localId":"q4","createdAt":"9223372036854775807"}"#)

    #expect(outcome.output == "2 imported, 2 refused\n", "\(outcome.errors)")
    #expect(outcome.errors.contains(":4: q3 is refused") || outcome.errors.contains(":4: refused"))
    #expect(outcome.errors.contains("no time between the years 1970 and 9999"))
  }

  @Test func `P12: a dump of the REST interface is taken, and what is left aside is counted`()
    throws
  {
    let outcome = try load(
      #"{"localId":"r1","email":"r1@example.com","emailVerified":true,"validSince":"1620956573","lastLoginAt":"1620956573071","createdAt":"1620956573071","customAuth":true,"tenantId":"tenant-1","lastRefreshAt":"2021-05-14T01:42:53.071Z","providerUserInfo":[{"providerId":"google.com","displayName":"R","federatedId":"https://accounts.google.com/1082","email":"r1@example.com","rawId":"1082"}],"initialEmail":"r1@example.com"},"#
        + "\n"
        + #"{"localId":"r2","screenName":"r2","language":"de","timeZone":"Europe/Berlin","dateOfBirth":"1990-01-01","rawPassword":"secret12","email":"r2@example.com"}"#
    )

    #expect(
      outcome.output
        == "2 imported, 0 refused, fields that accounts do not keep: lastRefreshAt 1, tenantId 1, validSince 1\n",
      "\(outcome.errors)")
    #expect(try enter("r2@example.com", "secret12") == "r2")
    let other = try Program.run(
      ["import", "--tenant", "tenant-2", "\(folder.path)/users.json"], in: folder)
    #expect(other.errors.contains("The record is of the tenant tenant-1"), "\(other)")
  }

  private static let signerKey =
    "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="

  static let blocks = [
    """
    hash_config {
      algorithm: SCRYPT,
      base64_signer_key: \(signerKey),
      base64_salt_separator: Bw==,
      rounds: 8,
      mem_cost: 14,
    }
    """,
    """
    {"algorithm": "SCRYPT", "base64_signer_key": "\(signerKey)", "base64_salt_separator": "Bw==", "rounds": 8, "mem_cost": 14}
    """,
    """
    {"hash_config": {"algorithm": "SCRYPT", "base64_signer_key": "\(signerKey)", "base64_salt_separator": "Bw==", "rounds": 8, "mem_cost": 14}}
    """,
    """
    {"algorithm": "SCRYPT", "signerKey": "\(signerKey)", "saltSeparator": "Bw==", "rounds": 8, "memoryCost": 14}
    """,
  ]

  @Test(arguments: blocks)
  func `P12: the parameters of Firebase's console are taken as they are copied`(
    block: String
  ) throws {
    let outcome = try load(
      #"{"localId":"s1","email":"s1@example.com","passwordHash":"lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==","salt":"42xEC+ixf3L2lw=="}"#,
      "--hash-parameters", try folder.write("hash.txt", block))

    #expect(outcome.output == "1 imported, 0 refused\n", "\(outcome.errors)")
    #expect(try enter("s1@example.com", "user1password") == "s1")
  }

  @Test func `P12: a misspelled name of the block is refused with the nearest`() throws {
    let outcome = try load(
      "{}", "--hash-parameters", try folder.write("hash.txt", "hash_config { algoritm: SCRYPT }"))
    #expect(outcome.status == 1 && outcome.errors.contains("algoritm"), "\(outcome.errors)")
  }

  @Test func `P12: a bcrypt text that is not base64 is refused with a remedy`() throws {
    let outcome = try load(
      #"{"localId":"b1","email":"b1@example.com","passwordHash":"$2b$04$M5LzMcUT2/.RzzcNsJSSOcJv5Y37zBmyv2JV0qKDeuw1gnvsRMIK"}"#,
      "--hash-algo", "BCRYPT")
    #expect(outcome.errors.contains("Encode the text in base64"), "\(outcome.errors)")
  }

  /// Returns the columns of a row, which are empty unless they are given.
  private func row(_ values: [Int: String], count: Int = 28) -> String {
    (0..<count).map { values[$0] ?? "" }.joined(separator: ",")
  }

  @Test func `P12: the table of Firebase's tools is read, with quotes, commas and line breaks`()
    throws
  {
    let scrypt =
      "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    let rows = [
      row([
        0: "c1", 1: "c1@example.com", 2: "true", 3: scrypt, 4: "42xEC+ixf3L2lw==",
        5: "\"Ada, \"\"the\"\"\r\nLovelace\"", 7: "g1", 8: "c1@gmail.com", 23: "1500000000000",
        24: "1600000000000", 26: "false", 27: "\"{\"\"role\"\":\"\"editor\"\"}\"",
      ]) + ",",
      row([
        0: "c2", 2: "false", 5: "Bo \"B\" Ek", 23: "1500000000000", 25: "+12345678901", 26: "true",
      ]),
      row([0: "c3", 2: "false", 23: "1500000000000", 28: "a1", 32: "0a1b"], count: 52),
      "c4,c4@example.com,false,,,\"Broken",
      "Name\"",
      row([0: "c5", 2: "perhaps", 23: "1500000000000"]),
    ]
    let file = try folder.write("users.csv", "\u{FEFF}" + rows.joined(separator: "\r\n") + "\r\n")

    let outcome = try Program.run(
      [
        "import", file, "--hash-parameters", folder.write("hash.json", Self.blocks[0]),
      ], in: folder)

    #expect(outcome.output == "3 imported, 2 refused\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("users.csv:5: refused: invalid-argument (file): The row has 6"))
    #expect(outcome.errors.contains("users.csv:7: refused: invalid-argument (emailVerified)"))
    #expect(try enter("c1@example.com", "user1password") == "c1")
    let export = try Program.run(["export"], in: folder).output
    for part in [
      #""displayName":"Ada, \"the\"\r\nLovelace""#, #""customAttributes":"{\"role\":\"editor\"}""#,
      #"{"email":"c1@gmail.com","providerId":"google.com","rawId":"g1"}"#,
      #""displayName":"Bo \"B\" Ek""#, #""phoneNumber":"+12345678901""#, #""disabled":true"#,
      #"{"providerId":"apple.com","rawId":"a1"}"#,
      #"{"providerId":"microsoft.com","rawId":"0a1b"}"#,
    ] {
      #expect(export.contains(part), "\(part) in \(export)")
    }
  }

  @Test func `P12: a table that ends inside quotes is refused with its line`() throws {
    let file = try folder.write("users.csv", row([0: "c1", 23: "1"]) + "\nc2,\"open,\n")
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("line 2: The file ends inside a value in quotes"), "\(outcome)")
    #expect(outcome.output == "1 imported, 0 refused\n")
  }

  @Test func `P12: an option of authgraph behind the script is refused with the right order`()
    throws
  {
    let script = try folder.write("count.lua", "print(#arg, arg[1], accounts.count())")
    let store = "sqlite:\(folder.path)/other.db"
    for options in [["--store", store], ["--store=\(store)"], ["--mine", "--store", store]] {
      let wrong = try Program.run(["run", script] + options, in: folder)
      let order =
        "authgraph run \(options.drop { $0 == "--mine" }.joined(separator: " ")) \(script)"
      #expect(wrong.status == 1 && wrong.output.isEmpty, "\(wrong)")
      #expect(wrong.errors.contains("Write \(order), or put -- before it"), "\(wrong.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.store))

    let right = try Program.run(
      ["run", "--store", store, "--create", script, "--mine"], in: folder)
    #expect(right.status == 0 && right.output == "1\t--mine\t0\n", "\(right)")
    let own = try Program.run(["run", script, "--", "--store", "mine"], in: folder)
    #expect(own.status == 0 && own.output == "2\t--store\t0\n", "\(own)")
  }
}
