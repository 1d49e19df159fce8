import Foundation
import Testing
import TestSupport

/// A store or a project that does not exist is most often misspelled.
@Suite struct `A store or project that does not exist` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var typo: String { "\(folder.path)/typo.db" }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func `is refused without a terminal, and not made`() throws {
    let script = try folder.write("count.lua", "print(accounts.count())")
    for arguments in [
      ["--store", "sqlite:\(typo)", "-e", "accounts.count()"],
      ["console", "--store", "sqlite:\(typo)"], ["run", "--store", "sqlite:\(typo)", script],
    ] {
      let outcome = try Program.run(arguments, in: folder, input: "accounts.count()\n")
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(
        outcome.errors.contains("There is no store \(typo). Check its name, or add --create"),
        "\(outcome.errors)")
      #expect(!exists(typo))
    }
  }

  @Test func `is made with --create, by an import, and at the default place`() throws {
    let made = try Program.run(
      ["--store", "sqlite:\(typo)", "--create", "-e", "accounts.count()"], in: folder)
    #expect(made.status == 0 && made.output == "0\n" && exists(typo), "\(made)")
    let file = try folder.write("users.json", "{\"users\": [\n{\"localId\": \"a\"}\n]}\n")
    let other = "\(folder.path)/other.db"
    let imported = try Program.run(["import", "--store", "sqlite:\(other)", file], in: folder)
    #expect(imported.status == 0 && exists(other), "\(imported)")
    #expect(!exists(folder.store))
    #expect(try folder.lua("accounts.count()") == "0")
    #expect(exists(folder.store))
  }

  @Test func `is not made by a rehearsal of an import`() throws {
    let file = try folder.write("users.json", "{\"users\": [\n{\"localId\": \"a\"}\n]}\n")
    let outcome = try Program.run(
      ["import", "--dry-run", "--store", "sqlite:\(typo)", file], in: folder)
    #expect(outcome.output == "1 imported, 0 refused; nothing was written\n", "\(outcome)")
    #expect(!exists(typo) && !exists("\(typo).key"))
  }

  @Test func `a parameter of a SQLite store is refused with what to write`() throws {
    let outcome = try Program.run(
      ["--store", "sqlite:play.db?mode=ro", "-e", "1"], in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("Write sqlite:play.db, without ?mode=ro."), "\(outcome.errors)")
  }

  @Test func `a project without anything in it is refused as well`() throws {
    try folder.lua("accounts.create { uid = 'a' }")
    let typo = try Program.run(["--project", "shpo", "-e", "accounts.count()"], in: folder)
    #expect(typo.status == 1 && typo.output.isEmpty, "\(typo)")
    #expect(typo.errors.contains("There is no project shpo."), "\(typo.errors)")
    let made = try Program.run(
      ["--project", "shop", "--create", "-e", "accounts.create { uid = 'b' }.uid"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let known = try Program.run(["--project", "shop", "-e", "accounts.count()"], in: folder)
    #expect(known.output == "1\n", "\(known)")
  }

  @Test func `is asked about at a terminal`() throws {
    let command = "'\(Program.path)' console --store 'sqlite:\(typo)'"
    let refusing = try Terminal(command, in: folder, name: "refusing")
    try refusing.wait(for: "Create it?")
    try refusing.type("no")
    try refusing.press("Enter")
    try refusing.wait(for: "[left with 1]")
    #expect(!exists(typo))

    let creating = try Terminal(command, in: folder, name: "creating")
    try creating.wait(for: "Create it?")
    try creating.type("yes")
    try creating.press("Enter")
    try creating.wait(for: "authgraph>")
    #expect(exists(typo))
  }
}
