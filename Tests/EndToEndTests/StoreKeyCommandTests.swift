import AuthCore
import BuiltInProviders
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// A store has one key, no matter which command seals first.
@Suite struct `D2: the key of a store at the command line` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var right: String { "\(folder.path)/server.key" }
  private var wrong: String { "\(folder.path)/sever.key" }
  private var beside: String { "\(folder.store).key" }

  private static let configure =
    "providers.configure('oidc.NAME', "
    + "{ issuer = 'https://id.example', clientID = 'app', clientSecret = 'secret of NAME' })"

  private func configure(_ name: String) -> String {
    Self.configure.replacingOccurrences(of: "NAME", with: name)
  }

  private func run(_ arguments: [String], key: String?) throws -> Program.Outcome {
    var arguments = arguments
    // Options of `run` come before its file.
    let place = arguments.first == "run" ? 1 : arguments.count
    if let key { arguments.insert(contentsOf: ["--key-file", key], at: place) }
    return try Program.run(arguments, in: folder)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func expectRefusal(
    _ outcome: Program.Outcome, naming path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = outcome.errors + outcome.output
    #expect(outcome.status == 1, "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains("keyFile"), "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains(path), "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains("--key-file"), "\(text)", sourceLocation: sourceLocation)
  }

  /// Returns commands that seal something.
  private func sealing() throws -> [(name: String, arguments: [String])] {
    let code = configure("more")
    let script = try folder.write("script.lua", code)
    let people = try folder.write(
      "people.json",
      "{\"users\": [\n" + #"{"localId":"t1","email":"t1@example.com","emailVerified":true,"#
        + #""mfaInfo":[{"mfaEnrollmentId":"app","totpInfo":{"sharedSecretKey":"JBSWY3DPEHPK3PXP"}}]}"#
        + "\n]}\n")
    return [
      ("-e", ["-e", code]), ("console -e", ["console", "-e", code]), ("run", ["run", script]),
      ("another project", ["-e", code, "--project", "other", "--create"]),
      ("a tenant", ["-e", code, "--tenant", "t"]),
      ("import", ["import", people]), ("import --bulk", ["import", people, "--bulk"]),
      (
        "enrol",
        [
          "-e",
          "local a = accounts.get 'e@example.com' "
            + "or accounts.create { email = 'e@example.com', emailVerified = true } "
            + "a.multiFactor:enroll 'totp'",
        ]
      ),
    ]
  }

  private func prepare() throws {
    // The store is marked by a secret, because no server has run, and has no accounts, as a bulk import requires.
    let first = try run(["-e", configure("first")], key: right)
    #expect(first.status == 0, "\(first.errors)")
    #expect(exists(right) && !exists(beside))
  }

  @Test func `D2: a mistyped key file is refused by every command, and not made`() throws {
    try prepare()
    for (name, arguments) in try sealing() {
      let outcome = try run(arguments, key: wrong)
      expectRefusal(outcome, naming: wrong)
      #expect(!exists(wrong), "\(name)")
    }
    let reading = try run(["-e", "print(accounts.count())"], key: wrong)
    #expect(reading.status == 0 && !exists(wrong), "What reads needs no key.")
    let outcome = try run(["-e", configure("second")], key: right)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `D2: a key file that belongs to another store is refused by every command`() throws {
    try prepare()
    _ = try KeyFileSealing(path: wrong).seal("x", for: "y")
    for (name, arguments) in try sealing() {
      let outcome = try run(arguments, key: wrong)
      expectRefusal(outcome, naming: wrong)
      #expect(outcome.errors.contains("another one"), "\(name): \(outcome.errors)")
    }
    #expect(try run(["-e", configure("second")], key: right).status == 0)
  }

  @Test func `D2: without a key named, none is made beside a store that has one`() throws {
    try prepare()
    for (name, arguments) in try sealing() {
      expectRefusal(try run(arguments, key: nil), naming: beside)
      #expect(!exists(beside), "\(name)")
    }
  }

  @Test func `D2: a store that was only served has its server's key`() async throws {
    let (folder, right) = (folder, right)
    let server = try await blocking {
      try RunningServer(
        ["--compat", "emulator", "--port", "0", "--key-file", right], in: folder,
        environment: ["AUTHGRAPH_STORE": "sqlite:\(folder.store)"])
    }
    for (_, arguments) in try sealing() {
      expectRefusal(try run(arguments, key: nil), naming: beside)
      expectRefusal(try run(arguments, key: wrong), naming: wrong)
    }
    #expect(!exists(beside) && !exists(wrong) && exists(right))
    let outcome = try run(["-e", configure("more")], key: right)
    #expect(outcome.status == 0, "\(outcome.errors)")
    server.signal(SIGTERM)
  }

  @Test func `D2: a server refuses a store whose key a command has made`() throws {
    let made = try run(
      ["-e", configure("first"), "--project", "elsewhere", "--create"], key: right)
    #expect(made.status == 0, "\(made.errors)")
    let served = try Program.run(
      ["serve", "--compat", "emulator", "--port", "0", "--key-file", wrong], in: folder)
    #expect(served.status == 1 && served.errors.contains(wrong), "\(served.errors)")
    #expect(!exists(wrong))
  }

  /// Key files that cannot be used, for a store that has a key.
  @Test(arguments: ["gone", "empty", "open to others", "a folder", "damaged", "a link to nothing"])
  func `D2: a key file that cannot be used is named, and left as it is`(fault: String) throws {
    try prepare()
    let files = FileManager.default
    let content = try folder.read("server.key")
    switch fault {
    case "gone": try files.removeItem(atPath: right)
    case "empty": try Data().write(to: URL(filePath: right))
    case "open to others": chmod(right, 0o644)
    case "damaged": try Data(content.dropLast(9).utf8).write(to: URL(filePath: right))
    case "a folder":
      try files.removeItem(atPath: right)
      try files.createDirectory(atPath: right, withIntermediateDirectories: false)
    default:
      try files.removeItem(atPath: right)
      symlink("\(folder.path)/nowhere", right)
    }
    let before = try? folder.read("server.key")
    for (name, arguments) in try sealing() {
      let outcome = try run(arguments, key: right)
      #expect(outcome.status == 1 && outcome.errors.contains(right), "\(name): \(outcome.errors)")
    }
    #expect((try? folder.read("server.key")) == before)
    #expect(!exists("\(folder.path)/nowhere"))
  }

  @Test func `D2: commands that begin at once make one key`() async throws {
    let names = (0..<6).map { "at\($0)" }
    let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
      for name in names {
        let (code, folder) = (configure(name), folder)
        group.addTask { try await blocking { try Program.run(["-e", code], in: folder) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes.map(\.errors))")
    try await expectOneKey(KeyFileSealing(path: beside), names)
  }

  @Test
  func `D2: one of several commands that begin at once gives the store its key`()
    async throws
  {
    let keys = (0..<4).map { "\(folder.path)/key\($0)" }
    let outcomes = try await withThrowingTaskGroup(of: (Int, Program.Outcome).self) { group in
      for (number, key) in keys.enumerated() {
        let (code, folder) = (configure("at\(number)"), folder)
        group.addTask {
          (
            number,
            try await blocking { try Program.run(["-e", code, "--key-file", key], in: folder) }
          )
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let winners = outcomes.filter { $0.value.status == 0 }.map(\.key)
    #expect(winners.count == 1, "\(outcomes.mapValues(\.errors))")
    let winner = try #require(winners.first)
    try await expectOneKey(KeyFileSealing(path: keys[winner]), ["at\(winner)"])
  }

  /// Expects exactly these providers, with secrets that a key opens.
  private func expectOneKey(_ key: KeyFileSealing, _ names: [String]) async throws {
    let settings = try await SQLiteStore(path: folder.store).settings(of: Scope(project: "default"))
    #expect(Set(settings.providers.keys) == Set(names.map { "oidc.\($0)" }))
    for name in names {
      let sealed = try #require(settings.providers["oidc.\(name)"]?.sealedSecrets["clientSecret"])
      #expect(
        try key.open(sealed, for: "configuration oidc.\(name) clientSecret default")
          == "secret of \(name)")
    }
  }

  @Test func `D2: a failure before the key is kept leaves the store without a key`() throws {
    let refused = try run(
      ["-e", "providers.configure('oidc.x', { issuer = 7, clientSecret = 'b' })"], key: wrong)
    #expect(refused.status == 1)
    let rehearsed = try run(
      [
        "-e",
        "providers.configure('oidc.x', { issuer = 'https://id.example', clientID = 'a', "
          + "clientSecret = 'b' }, { dryRun = true })",
      ], key: wrong)
    #expect(rehearsed.status == 0, "\(rehearsed.errors)")
    #expect(try run(["-e", configure("first")], key: right).status == 0)
  }

  @Test func `D2: help names the folder that key files are relative to`() throws {
    let help = try Program.run(["console", "--help"], in: folder).output
      .replacing(/\s+/, with: " ")
    #expect(help.contains("from the working directory"))
    #expect(help.contains("from that file's folder"), "\(help)")
  }

  // MARK: Mending

  /// Makes a store whose mark and one project are sealed with one key, and another project with another.
  private func sealTwice() async throws {
    #expect(try run(["-e", configure("bad")], key: wrong).status == 0)
    let other = try TemporaryFolder()
    let shop = try Program.run(
      ["-e", configure("good"), "--project", "shop", "--create", "--key-file", right], in: other)
    #expect(shop.status == 0, "\(shop.errors)")
    let (source, target) = (
      try SQLiteStore(path: other.store), try SQLiteStore(path: folder.store)
    )
    let scope = Scope(project: "shop")
    let servers = Scope(project: "")
    let settings = try await source.settings(of: scope)
    let mark = try await source.read { try $0.checkpoint("sealing-key", in: servers) }
    try await target.write { writer in
      try writer.save(settings, for: scope)
      try writer.saveCheckpoint("sealing-key", mark, in: servers)
    }
  }

  private func mend(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["store", "mend-key"] + arguments, in: folder)
  }

  @Test func `D2: a store of two keys is mended, and works afterwards`() async throws {
    try await sealTwice()
    let before = try run(["-e", configure("next")], key: right)
    #expect(before.status == 1 && before.errors.contains("mend-key"), "\(before.errors)")

    let plan = try mend("--key-file", right, "--also", wrong)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("clientSecret of oidc.bad"), "\(plan.output)")
    #expect(plan.output.contains("Nothing is written. Add --commit to seal 2 texts anew."))
    #expect(!plan.output.contains("oidc.good"))
    #expect(try run(["-e", configure("next")], key: right).status == 1, "Nothing was written.")

    let json = try mend("--key-file", right, "--also", wrong, "--commit", "--json")
    let done = try JSONValue(text: json.output)
    #expect(done["resealed"] == 2 && done["unreadable"] == 0 && done["committed"] == true)
    #expect(done["kept"] == 3, "\(json.output)")

    let key = KeyFileSealing(path: right)
    let settings = try await SQLiteStore(path: folder.store).settings(of: Scope(project: "default"))
    let sealed = try #require(settings.providers["oidc.bad"]?.sealedSecrets["clientSecret"])
    #expect(
      try key.open(sealed, for: "configuration oidc.bad clientSecret default") == "secret of bad")
    for project in ["default", "shop", "third"] {
      let place = ["--project", project, "--create"]
      let outcome = try run(["-e", configure("next")] + place, key: right)
      #expect(outcome.status == 0, "\(project): \(outcome.errors)")
      expectRefusal(
        try run(["-e", configure("last")] + place, key: wrong), naming: wrong)
    }
    let again = try mend("--key-file", right, "--also", wrong)
    #expect(again.output.contains("Everything in the store is sealed with \(right)"))
  }

  @Test func `D2: a secret that no key opens is named, stays, and goes on request`() async throws {
    try await sealTwice()
    try FileManager.default.removeItem(atPath: wrong)

    let plan = try mend("--key-file", right, "--commit")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("opens with no key") && plan.output.contains("oidc.bad"))
    #expect(plan.output.contains("1 text opened by no key"), "\(plan.output)")
    #expect(try run(["-e", configure("next")], key: right).status == 0, "The probe is mended.")
    #expect(
      try run(["-e", "print(providers['oidc.bad'] ~= nil)"], key: right).output.contains("true"))

    let dropped = try mend("--key-file", right, "--drop", "--commit")
    #expect(dropped.output.contains("removed"), "\(dropped.output)")
    let settings = try await SQLiteStore(path: folder.store).settings(of: Scope(project: "default"))
    #expect(settings.providers["oidc.bad"]?.sealedSecrets == [:])
    #expect(settings.providers["oidc.bad"]?.values["clientID"] == "app")
    #expect(try run(["-e", configure("bad")], key: right).status == 0)
  }

  @Test(arguments: [["--key-file", "nokey"], ["--also", "nokey"], []])
  func `D2: mending makes no key file and no store`(arguments: [String]) throws {
    let nokey = "\(folder.path)/nokey"
    let named = arguments.map { $0 == "nokey" ? nokey : $0 }
    let without = try Program.run(["store", "mend-key"] + named, in: folder)
    #expect(without.status == 1 && !exists(folder.store), "\(without.errors)")
    try prepare()
    let outcome = try Program.run(
      ["store", "mend-key", "--commit"] + named
        + (arguments.first == "--also" ? ["--key-file", right] : []), in: folder)
    #expect(outcome.status == 1 && outcome.errors.contains("(keyFile)"), "\(outcome.errors)")
    #expect(!exists(nokey) && !exists(beside))
  }
}
