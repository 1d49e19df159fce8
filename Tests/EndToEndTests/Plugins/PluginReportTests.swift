import AuthCore
import Foundation
import Testing
import TestSupport

/// What `authgraph plugin` writes for continuous integration, and what it shows of fixtures.
@Suite struct `The plug-in commands in continuous integration` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func plugin(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["plugin"] + arguments, in: folder)
  }

  @Test func `a strict check fails for a warning, and JUnit has it`() throws {
    _ = try plugin(["new", "my.example", "--folder", folder.path])
    let text = try folder.read("my.example.lua").replacing("vendor.example", with: "my.example")
    let file = try folder.write("my.example.lua", text)
    try FileManager.default.removeItem(atPath: "\(folder.path)/my.example.fixture.json")
    let report = "\(folder.path)/check.xml"

    let usual = try plugin(["check", "--junit", report, file])
    let passed = try folder.read("check.xml")
    let strict = try plugin(["check", "--strict", "--junit", report, file])
    let failed = try folder.read("check.xml")

    #expect(usual.status == 0 && strict.status == 1)
    #expect(passed.contains("<testsuites tests=\"1\" failures=\"0\" errors=\"0\">"), "\(passed)")
    #expect(failed.contains("name=\"[missing-fixture] line -\""), "\(failed)")
    #expect(failed.contains("failures=\"1\""))
  }

  @Test func `a test writes its cases as JUnit, by scenario`() throws {
    _ = try plugin(["new", "my.example", "--kind", "custom", "--folder", folder.path])
    let file = "\(folder.path)/my.example.lua"
    let report = "\(folder.path)/test.xml"

    let passed = try plugin(["test", "--junit", report, file])
    let good = try folder.read("test.xml")
    let faulty = try folder.read("my.example.lua")
      .replacing("pick(answer, \"user.email_verified\") == true", with: "answer.user ~= nil")
    try Data(faulty.utf8).write(to: URL(filePath: file))
    let failed = try plugin(["test", "--junit", report, file])
    let bad = try folder.read("test.xml")
    let nowhere = try plugin(["test", "--junit", "\(folder.path)/no/such/test.xml", file])

    #expect(passed.status == 0 && failed.status == 1)
    #expect(good.contains("failures=\"0\" errors=\"0\""), "\(good.prefix(300))")
    #expect(good.contains("classname=\"\(file): a ticket\" name=\"[transport] "))
    #expect(bad.contains("<failure message="), "\(bad.prefix(300))")
    #expect(nowhere.status == 1 && nowhere.errors.contains("test.xml cannot be written."))
  }

  @Test func `a check finds what no browser can use`() throws {
    let file = try folder.write(
      "forum.example.lua",
      """
      return provider {
        id = "forum.example", name = "Forum", kind = "custom", hosts = { "forum.example" },
        documentation = "https://forum.example/docs",
        credentials = { authorizationCode = { code = field.secret "the code" } },
        authorize = {
          "https://forum.example/login", parameters = { back = "{redirectURI}" },
          callback = { code = "code" },
        },
        verify = function(credential, http)
          local me = http.post("https://forum.example/me", { form = { code = credential.code } }):json()
          return identity { subject = pick(me, "id") }
        end,
      }
      """)

    let outcome = try plugin(["check", file])

    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "error [browser-sign-in] The address has no state, so every callback is refused."),
      "\(outcome.output)")
  }

  @Test func `the list shows where the answers of a fixture are from`() throws {
    let text = try plugin(["list", "Plugins/telegram.lua"])
    let json = try JSONValue(text: try plugin(["list", "--json", "Plugins"]).output)

    #expect(text.output.contains("documentation (2026-11)"), "\(text.output)")
    guard case .array(let entries) = json else { throw Failed(description: json.text) }
    #expect(entries.allSatisfy { $0["newestSource"]?.stringValue?.hasPrefix("20") == true })
    // None of the shipped answers was recorded at a vendor.
    #expect(entries.allSatisfy { $0["sources"]?["recorded"] == nil })
  }
}
