import Foundation
import Testing
import TestSupport

/// The example of the article about importers does what the article says.
@Suite struct `The article "Importing from another system"` {
  private let folder: TemporaryFolder
  private let blocks: [(kind: String, text: String)]

  init() throws {
    folder = try TemporaryFolder()
    let article = try String(
      contentsOfFile:
        "\(Program.root)/Sources/LuaPlugins/LuaPlugins.docc/ImportingFromAnotherSystem.md",
      encoding: .utf8)
    let pieces = article.components(separatedBy: "\n```")
    blocks = stride(from: 1, to: pieces.count - 1, by: 2).map { index in
      let lines = pieces[index].components(separatedBy: "\n")
      return (lines[0], lines.dropFirst().joined(separator: "\n"))
    }
  }

  private func block(_ kind: String) throws -> String {
    try blocks.first { $0.kind == kind }.map(\.text).unwrapped("a block of \(kind)")
  }

  @Test func `its importer imports its users as its commands show`() throws {
    let importer = try folder.write("shop.lua", try block("lua"))
    let users = try folder.write("users.ndjson", try block("json") + "\n")
    let lines = try block("sh").components(separatedBy: "\n")
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      let arguments = lines[index].components(separatedBy: " ").dropFirst(2)
        .filter { $0 != "2>/dev/null" }
        .map { $0 == "shop.lua" ? importer : $0 == "users.ndjson" ? users : $0 }
      let outcome = try Program.run(Array(arguments), in: folder)

      #expect(outcome.output == lines[index + 1] + "\n", "\(outcome.errors)")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(":3: refused: "))
    }
    let uid = try folder.lua(
      "print(auth.signIn(providers.password.credential { email = 'ada@shop.test', "
        + "password = 'opensesame' }).account.uid)")
    #expect(uid == "a1")
  }

  @Test(arguments: ["auth0", "cognito", "supabase", "keycloak", "kratos"])
  func `an importer that ships reads a file without users`(_ name: String) throws {
    let texts = ["cognito": #"{"Users":[]}"#, "keycloak": #"{"users":[]}"#]
    let file = try folder.write("users.json", texts[name] ?? "[]")
    let outcome = try Program.run(
      ["import", "--with", "\(Program.root)/Importers/\(name).lua", file], in: folder)
    #expect(outcome.output == "0 imported, 0 refused\n", "\(outcome.errors)")
  }

  @Test func `a password that stays behind is in an export, and comes back`() throws {
    let users = try folder.write(
      "users.json", #"{"users":[{"localId":"u1","email":"ada@shop.test"},{"localId":"u2"}]}"#)
    let copy = "\(folder.path)/copy.json"
    let imported = try Program.run(["import", users, "--passwords-elsewhere"], in: folder)
    #expect(imported.output == "2 imported, 0 refused\n", "\(imported.errors)")
    let exported = try Program.run(["export", copy], in: folder)
    #expect(exported.status == 0, "\(exported.errors)")

    let text = try folder.read("copy.json")
    #expect(text.components(separatedBy: "\"passwordElsewhere\":true").count == 2)
    let again = try Program.run(["import", copy], in: folder)
    #expect(again.output == "0 imported, 2 there already, 0 refused\n", "\(again.errors)")
  }

  @Test func `options of an importer need one, and unknown ones are refused`() throws {
    let file = try folder.write("users.json", "[]")
    let lone = try Program.run(["import", file, "--hashes", file], in: folder)
    #expect(lone.status != 0 && lone.errors.contains("need --with"))
    let importer = "\(Program.root)/Importers/kratos.lua"
    for (options, word) in [
      (["--option", "mail=x"], "no option \"mail\""),
      (["--provider", "x"], "no name with a value"),
      (["--hashes", file], "reads no file \"hashes\""),
    ] {
      let outcome = try Program.run(["import", "--with", importer, file] + options, in: folder)
      #expect(outcome.status != 0 && outcome.errors.contains(word), "\(outcome.errors)")
    }
  }
}
