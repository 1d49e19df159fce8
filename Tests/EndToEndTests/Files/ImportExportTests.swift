import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// `authgraph import` and `export` on a file in Firebase's format.
@Suite struct `Import and export` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns an account as Firebase writes it, one line each, with sorted keys as in our own export.
  private func record(_ number: Int, email: String? = nil, extra: String = "") -> String {
    let uid = String(format: "u%05d", number)
    return #"{"createdAt":"1500000000000","disabled":false,"displayName":"Person \#(number)","#
      + #""email":"\#(email ?? "p\(number)@example.com")","emailVerified":true,"localId":"\#(uid)","#
      + #""providerUserInfo":[{"providerId":"google.com","rawId":"g\#(number)"}]\#(extra)}"#
  }

  private func file(_ records: [String]) throws -> String {
    try folder.write("users.json", "{\"users\": [\n" + records.joined(separator: ",\n") + "\n]}\n")
  }

  @Test func `an export equals what was imported, byte for byte`() throws {
    let file = try file((1...4000).map { record($0) })
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.status == 0 && outcome.output == "4000 imported, 0 refused\n")
    #expect(try Program.run(["export"], in: folder).output == folder.read("users.json"))
    let again = try Program.run(["import", file], in: folder)
    #expect(again.output == "0 imported, 4000 there already, 0 refused\n")
  }

  @Test func `conflicts are reported with line and reason, and the rest is imported`() throws {
    let unverified = record(4, email: "p1@example.com").replacing(
      #""emailVerified":true"#, with: #""emailVerified":false"#)
    let file = try file([
      record(1), record(2, email: "p1@example.com"), record(3),
      unverified, record(3).replacing("Person 3", with: "Somebody else"),
      record(6).replacing("g6", with: "g1"), #"{"localId":"u7","emial":"x@example.com"}"#,
      record(8).replacing("p8@example.com", with: "no address"),
    ])
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.status == 2)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix("\(file):3: u00002 is refused: email-already-in-use (email)"))
    #expect(lines[1].contains(":5: u00004 is imported and shares p1@example.com with u00001"))
    #expect(lines[2].contains(":6: u00003 is refused: uid-already-exists"))
    #expect(lines[3].contains(":7: u00006 is refused: credential-already-in-use"))
    #expect(lines[4].contains(":8: refused: invalid-argument (emial)"))
    #expect(lines[4].contains("Did you mean \"email\"?"))
    #expect(lines[5].contains(":9: u00008 is refused: invalid-email (email)"))
    #expect(try folder.lua("accounts.count()") == "3")
    #expect(try folder.lua("duplicates.find { by = 'email' }[1].key") == "p1@example.com")
  }

  @Test func `many problems are counted by kind, and a report has them all`() throws {
    let shared = (1...30).map { number in
      record(number, email: "same@example.com").replacing(
        #""emailVerified":true"#, with: #""emailVerified":false"#)
    }
    let file = try file(shared + [record(31).replacing("p31@example.com", with: "no address")])
    let report = "\(folder.path)/report.json"
    let outcome = try Program.run(["import", "--report", report, file], in: folder)
    #expect(outcome.status == 2)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 5, "\(lines)")
    #expect(lines[3].contains("u00031 is refused: invalid-email"), "\(lines)")
    #expect(
      lines[4].contains("1 refused with invalid-email, 29 that share an e-mail address."),
      "\(lines)")
    guard case .array(let problems) = try JSONValue(text: folder.read("report.json"))["problems"]
    else {
      Issue.record("The report has no problems.")
      return
    }
    #expect(problems.count == 30)
    let again = try Program.run(["import", "--report", report, file], in: folder)
    #expect(again.status == 1 && again.errors.contains("Name a new file"), "\(again)")
  }

  @Test func `the last line counts addresses that differ in case or accents only`() throws {
    let file = try file([
      record(1, email: "JOSÉ@example.com"), record(2, email: "josé@example.com"), record(3),
    ])
    let outcome = try Program.run(["import", file], in: folder)
    #expect(
      outcome.output
        == "3 imported, 0 refused, 1 group of addresses that differ in case or accents only; "
        + "duplicates.find { by = \"similarEmail\" } lists them\n", "\(outcome)")
  }

  @Test func `a refusal names the other account and a way`() throws {
    let file = try file([record(1), record(2, email: "p1@example.com")])
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.errors.contains("The account u00001 has verified the address p1@example.com."))
    #expect(outcome.errors.contains("Import it with emailVerified = false"), "\(outcome.errors)")
  }

  @Test func `a rehearsal reports the same and writes nothing`() throws {
    let file = try file([record(1), record(2, email: "p1@example.com")])
    let outcome = try Program.run(["import", "--dry-run", file], in: folder)
    #expect(outcome.output == "1 imported, 1 refused; nothing was written\n")
    #expect(try folder.lua("accounts.count()") == "0")
  }

  @Test func `an interrupted import goes on after its last record`() throws {
    let records = (1...4500).map { record($0) }
    let whole = "{\"users\": [\n" + records.joined(separator: ",\n") + "\n]}\n"
    // The file breaks off inside a record: the records before it are imported and reported.
    let file = try folder.write("users.json", String(whole.dropLast(200)))
    let broken = try Program.run(["import", file], in: folder)
    #expect(broken.status == 1)
    #expect(broken.errors.contains("the file ends inside a record"))
    #expect(broken.output == "4499 imported, 0 refused\n")
    _ = try folder.write("users.json", whole)
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.output == "1 imported, 4499 there already, 0 refused\n")
    #expect(try Program.run(["export"], in: folder).output == whole)
  }

  /// Starts an import that runs while the test continues.
  private func beginImport(_ file: String, _ options: String...) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["import"] + options + [file]
    process.environment = folder.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Kills an import after its first commit; returns the number of accounts.
  private func killImport(_ file: String) throws -> String {
    _ = try folder.lua("accounts.count()")
    let process = try beginImport(file)
    // It runs for some milliseconds at a time, so that it never finishes before its accounts are seen.
    while process.isRunning {
      kill(process.processIdentifier, SIGSTOP)
      if try countInFile() > 0 { break }
      kill(process.processIdentifier, SIGCONT)
      usleep(10_000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return try folder.lua("accounts.count()")
  }

  /// Returns the number of committed accounts, read by another program that does not wait for locks; zero if a lock
  /// that the stopped import holds keeps it from reading.
  private func countInFile() throws -> Int {
    let outcome = try Program.run(
      ["-readonly", folder.store, "SELECT count(*) FROM accounts"], of: "/usr/bin/sqlite3",
      in: folder)
    return Int(outcome.output.trimmingCharacters(in: .newlines)) ?? 0
  }

  /// The number of accounts after each commit but the last: the first has 1,000, the others 10,000.
  private static let commits = ["1000", "11000", "21000", "31000"]

  @Test func `another process writes between the commits of an import`() throws {
    let file = try file((1...150_000).map { record($0) })
    _ = try folder.lua("accounts.count()")
    let process = try beginImport(file)
    while process.isRunning, try folder.lua("accounts.count()") == "0" {}
    let made = try folder.lua("accounts.create { email = \"other@example.com\" }.email")
    let isImporting = process.isRunning
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(made.contains("other@example.com"))
    #expect(isImporting, "It had to wait until nothing was left to import.")
  }

  @Test func `an import that was killed goes on behind its last commit`() throws {
    let file = try file((1...24_000).map { record($0) })
    let done = try killImport(file)
    let outcome = try Program.run(["import", file], in: folder)
    #expect(Self.commits.contains(done))
    #expect(outcome.output.contains("\(done) imported before the interruption"), "\(outcome)")
    #expect(try folder.lua("accounts.count()") == "24000")
  }

  @Test func `S17 an address that mail software may read as another one is refused with its line`()
    throws
  {
    let bad = record(1).replacing("p1@example.com", with: "victim(1)@example.com")
    let file = try file([record(2), bad])
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.errors.contains(":3: u00001 is refused: invalid-email"), "\(outcome)")
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test func `an import that was killed goes on, and still reports its refusals`() throws {
    let bad = record(1).replacing("p1@example.com", with: "no address")
    let file = try file([bad] + (2...24_000).map { record($0) })
    let done = try killImport(file)
    #expect(Self.commits.contains(done))
    let outcome = try Program.run(["import", file], in: folder)
    #expect(outcome.errors.contains(":2: u00001 is refused: invalid-email"), "\(outcome)")
    let left = 23_999 - (Int(done) ?? 0)
    #expect(outcome.output == "\(left) imported, \(done) there already, 1 refused\n")
    #expect(try folder.lua("accounts.count()") == "23999")
  }

  @Test func `a bulk import gives what another gives, and reports the same`() throws {
    var records = (1...2500).map { record($0) }
    // Conflicting records come before, between and after the records that they conflict with.
    records[3] = record(4, email: "p1@example.com")
    records[1200] = records[1200].replacing("g1201", with: "g7")
    records[1300] = record(8).replacing("Person 8", with: "Somebody else")
    records[1400] = #"{"localId":"u7","emial":"x@example.com"}"#
    records[2000] = record(2001, email: "p9@example.com").replacing(
      #""emailVerified":true"#, with: #""emailVerified":false"#)
    let file = try file(records)
    let one = try Program.run(["import", "--bulk", file], in: folder)
    let export = try Program.run(["export"], in: folder).output
    let another = try TemporaryFolder()
    let other = try Program.run(["import", file], in: another)

    #expect(one.status == 2 && one.output == other.output)
    #expect(one.output.hasPrefix("2496 imported, 4 refused, 1 share an e-mail address"))
    #expect(one.errors == other.errors)
    #expect(export == (try Program.run(["export"], in: another).output))
    let again = try Program.run(["import", "--bulk", file], in: folder)
    #expect(again.status == 1)
    #expect(again.errors.contains("has or had accounts"), "\(again)")
    #expect(again.errors.contains("Import without --bulk"))
  }

  @Test func `a bulk import of a file that breaks off leaves nothing`() throws {
    let whole =
      "{\"users\": [\n" + (1...2500).map { record($0) }.joined(separator: ",\n") + "\n]}\n"
    let broken = try folder.write("users.json", String(whole.dropLast(200)))
    let outcome = try Program.run(["import", "--bulk", broken], in: folder)
    #expect(outcome.status == 1 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("the file ends inside a record"))
    #expect(try folder.lua("accounts.count()") == "0")
    let file = try folder.write("users.json", whole)
    let again = try Program.run(["import", "--bulk", file], in: folder)
    #expect(again.output == "2500 imported, 0 refused\n")
    #expect(try Program.run(["export"], in: folder).output == whole)
    let both = try Program.run(["import", "--bulk", "--dry-run", file], in: folder)
    #expect(both.status != 0 && both.errors.contains("leave one out"), "\(both)")
  }

  @Test func `a bulk import begins at the beginning, even after an interrupted one`() throws {
    let file = try file((1...24_000).map { record($0) })
    #expect(Self.commits.contains(try killImport(file)))
    #expect(try sqlite("PRAGMA foreign_keys = ON; DELETE FROM accounts"))
    let outcome = try Program.run(["import", "--bulk", file], in: folder)
    #expect(outcome.output == "24000 imported, 0 refused\n", "\(outcome)")
  }

  /// Tells whether no other process is writing to the store.
  private func canWrite() throws -> Bool { try sqlite("BEGIN IMMEDIATE; ROLLBACK") }

  /// Runs SQL on the store; returns false if SQLite refuses.
  private func sqlite(_ sql: String) throws -> Bool {
    let shell = Process()
    shell.executableURL = URL(filePath: "/usr/bin/sqlite3")
    shell.arguments = [folder.store, sql]
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus == 0
  }

  @Test func `a bulk import that was killed left nothing, and can be done again`() throws {
    let file = try file((1...24_000).map { record($0) })
    _ = try folder.lua("accounts.count()")
    let process = try beginImport(file, "--bulk")
    while process.isRunning, try canWrite() {}
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(try folder.lua("accounts.count()") == "0")
    let outcome = try Program.run(["import", "--bulk", file], in: folder)
    #expect(outcome.output == "24000 imported, 0 refused\n", "\(outcome)")
    #expect(try Program.run(["export"], in: folder).output == folder.read("users.json"))
  }

  @Test func `issuers and screen names come back, and a record without a time is the same again`()
    throws
  {
    let file = try folder.write(
      "users.json",
      """
      {"users": [
      {"disabled":false,"localId":"a","providerUserInfo":[{"issuer":"https://one.example","providerId":"oidc.w","rawId":"1"},{"issuer":"https://two.example","providerId":"oidc.w","rawId":"1"},{"providerId":"twitter.com","rawId":"2","screenName":"ada"}]}
      ]}
      """)
    #expect(try Program.run(["import", file], in: folder).output == "1 imported, 0 refused\n")
    #expect(
      try Program.run(["import", file], in: folder).output
        == "0 imported, 1 there already, 0 refused\n")
    let export = try Program.run(["export"], in: folder).output
    for part in [
      #""issuer":"https://one.example""#, #""issuer":"https://two.example""#,
      #""screenName":"ada""#,
    ] {
      #expect(export.contains(part))
    }
  }

  @Test func `passwords of an import work, and are hashed anew`() throws {
    let parameters = """
      {"hash-algo": "SCRYPT", "rounds": 8, "mem-cost": 14, "salt-separator": "Bw==",
       "hash-key": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="}
      """
    let hash =
      "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    let user = record(
      1, extra: #","passwordHash":"\#(hash)","salt":"42xEC+ixf3L2lw==""#)
    let file = try file([user])
    let refused = try Program.run(["import", file], in: folder)
    #expect(refused.errors.contains("Give --hash-parameters"))
    let outcome = try Program.run(
      ["import", file, "--hash-parameters", folder.write("hash.json", parameters)], in: folder)
    #expect(outcome.output == "1 imported, 0 refused\n")
    let signIn = """
      local function enter(word)
        return auth.signIn(providers.password.credential { email = "p1@example.com", password = word })
      end
      print(enter("user1password").account.uid, enter("user1password").account.uid)
      print(select(2, pcall(enter, "user2password")).code)
      """
    #expect(try folder.lua(signIn) == "u00001\tu00001\ninvalid-credential")
    // The hash is now our own, and an export of it describes itself.
    let export = try Program.run(["export"], in: folder).output
    #expect(!export.contains(hash))
    let second = try TemporaryFolder()
    let copy = try Program.run(["import", folder.write("copy.json", export)], in: second)
    #expect(copy.output == "1 imported, 0 refused\n")
    #expect(try second.lua(signIn) == "u00001\tu00001\ninvalid-credential")
  }

  @Test(arguments: [
    ("", "it does not begin with"), ("[]", "it does not begin with"), ("{}", "no list \"users\""),
    ("{\"users\": {}}", "\"users\" is not a list"), ("PK\u{3}\u{4}zip", "it does not begin with"),
    ("uid,email\n1,a@example.com\n", "it does not begin with"),
    ("{\"users\": [1]}", "The record is not an object"),
    ("{\"users\": [{}]", "without its closing"),
    ("{\"users\": []} {\"users\": []}", "follows the end"),
    ("{\"users\": [], \"users\": []}", "second list"),
  ])
  func `a file of another kind is refused with the line`(text: String, reason: String) throws {
    let outcome = try Program.run(["import", folder.write("other.txt", text)], in: folder)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(outcome.errors.contains("line ") || outcome.errors.contains(":1:"))
  }

  @Test func `a field that the format has no place for is reported`() async throws {
    // The account has a second password, as a merge of version 0.1 left it, and an authenticator app's secret.
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let secret = StoredSecret(encoded: "secret", changedAt: now)
    var account = Account(id: AccountID("a"), scope: Scope(project: "default"), createdAt: now)
    account.email = try EmailAddress("a@example.com")
    account.emailVerified = true
    account.identities = try ["a@example.com", "b@example.com"].map {
      Identity(
        key: .password(try EmailAddress($0)), origin: .credential, linkedAt: now, secret: secret)
    }
    account.secondFactors = [SecondFactor(id: "f1", kind: .totp, secret: secret)]
    let kept = account
    try await SQLiteStore(path: folder.store).write { try $0.insert(kept) }

    let outcome = try Program.run(["export"], in: folder)

    #expect(outcome.status == 0 && outcome.errors.hasPrefix("2 secrets are left out"))
  }

  @Test func `an export goes to a new file that only its owner may read`() throws {
    _ = try Program.run(["import", file([record(1)])], in: folder)
    let target = "\(folder.path)/out.json"
    let outcome = try Program.run(["export", target], in: folder)
    #expect(outcome.errors == "1 accounts exported to \(target)\n")
    #expect(try folder.read("out.json") == folder.read("users.json"))
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    let again = try Program.run(["export", target], in: folder)
    #expect(again.status == 1 && again.errors.contains("exists"))
    #expect(try Program.run(["export", "--force", target], in: folder).status == 0)
  }
}
