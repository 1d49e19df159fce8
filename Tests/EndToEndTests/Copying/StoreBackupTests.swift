import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// `authgraph store backup` and `authgraph store check`.
@Suite struct `A store is backed up and checked` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua("for i = 1, 3 do accounts.create { uid = 'a' .. i } end")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: folder)
  }

  @Test func `a backup is of one moment, while a console has the store open`() throws {
    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.waitForPrompt()
    try terminal.enter("accounts.create { uid = 'a4' }", until: "a4")
    let copy = "\(folder.path)/copy.db"
    let outcome = try run(["store", "backup", "--to", copy])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Backed up 4 accounts to \(copy), "), "\(outcome.output)")
    #expect(outcome.output.contains("\(folder.store).key is not in it"))
    try terminal.enter("accounts.create { uid = 'a5' }", until: "a5")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")

    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let counted = try run(["console", "--store", "sqlite:\(copy)", "-e", "accounts.count()"])
    #expect(counted.output == "4\n", "\(counted.errors)")
    #expect(try folder.lua("print(accounts.count())") == "5")
  }

  @Test func `a backup replaces a file only by force, and never a store in use`() throws {
    let copy = try folder.write("copy.db", "precious")
    let refused = try run(["store", "backup", "--to", copy])
    #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(try folder.read("copy.db") == "precious")
    let forced = try run(["store", "backup", "--to", copy, "--force", "--json"])
    #expect(forced.status == 0, "\(forced.errors)")
    let json = try JSONValue(text: forced.output)
    #expect(json["accounts"] == 3 && json["file"]?.stringValue == copy)
    let itself = try run(["store", "backup", "--to", folder.store, "--force"])
    #expect(itself.status == 1 && itself.errors.contains("in use"), "\(itself.errors)")
    #expect(try folder.lua("print(accounts.count())") == "3")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
  }

  @Test func `a backup names what it cannot do`() throws {
    let missing = try run(
      ["store", "backup", "--store", "sqlite:\(folder.path)/none.db", "--to", "x.db"])
    #expect(missing.status == 1 && missing.errors.contains("There is no store"))
    let database = try run(
      ["store", "backup", "--store", "postgres://ada@db.example/d", "--to", "x.db"])
    #expect(database.status == 1 && database.errors.contains("pg_dump"))
  }

  @Test func `a sound store passes its check, a damaged one does not`() throws {
    let sound = try run(["store", "check"])
    #expect(sound.status == 0, "\(sound.output)\(sound.errors)")
    #expect(sound.output.contains("is sound") && sound.output.contains("3 accounts, none"))

    // Two rows that contradict each other.
    let spoil = try Program.run(
      [
        "-c",
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
          + "c.execute(\"UPDATE accounts SET email = 'x@example.com' WHERE uid = 'a1'\"); c.commit()",
        folder.store,
      ], of: "/usr/bin/python3", in: folder)
    #expect(spoil.status == 0, "\(spoil.errors)")
    let damaged = try run(["store", "check", "--json"])
    #expect(damaged.status == 1)
    #expect(damaged.output.contains("without its canonical form"), "\(damaged.output)")
    let missing = try run(["store", "check", "--store", "sqlite:\(folder.path)/none.db"])
    #expect(missing.status == 1 && missing.errors.contains("There is no store"))
  }

  @Test func `a database in PostgreSQL is checked too, and read without writes`() async throws {
    let folder = folder
    try await PostgresServer.shared.withSchema("check") { url in
      try await blocking {
        let fresh = try Program.run(
          ["console", "--read-only", "--store", url, "-e", "accounts.count()"], in: folder)
        #expect(
          fresh.status == 1 && fresh.errors.contains("without --read-only"), "\(fresh.errors)")
        let made = try Program.run(
          ["console", "--store", url, "-e", "accounts.create { uid = 'ada' }"], in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let checked = try Program.run(["store", "check", "--store", url], in: folder)
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        #expect(checked.output.contains("1 accounts, none"))
        let read = try Program.run(
          [
            "console", "--read-only", "--store", url, "-e",
            "accounts.get('ada'):disable { dryRun = true }", "-e", "accounts.count()",
          ], in: folder)
        #expect(read.status == 0 && read.output.hasSuffix("1\n"), "\(read.errors)")
        let refused = try Program.run(
          ["console", "--read-only", "--store", url, "-e", "accounts.get('ada'):disable()"],
          in: folder)
        #expect(refused.status == 1)
      }
    }
  }
}
