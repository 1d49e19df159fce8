import Foundation
import Testing
import TestSupport

/// Plug-ins, as an admin uses them in the console.
@Suite struct `Plug-ins in the console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/plugins", withIntermediateDirectories: true)
  }

  private func plugin(_ id: String, name: String = "Badge") -> String {
    """
    return provider {
      id = "\(id)", name = "\(name)", documentation = "https://badge.example",
      settings = { key = setting.secret { "the key that badges are signed with", required = true } },
      credentials = { badge = { number = field.text "the number", signature = field.secret "its signature" } },
      verify = function(credential, http, settings)
        local right = hash.hmac("sha256", settings.key, credential.number)
        if not hash.equals(credential.signature, right) then refuse "The badge is not ours." end
        return identity { subject = credential.number }
      end,
    }
    """
  }

  private func run(_ code: String..., input: String? = nil) throws -> Program.Outcome {
    try Program.run(
      ["console", "--plugins", "\(folder.path)/plugins"] + code.flatMap { ["-e", $0] }, in: folder)
  }

  @Test func `an admin sets one up, signs in with it, links it and takes it away`() throws {
    _ = try folder.write("plugins/badge.example.lua", plugin("badge.example"))
    let early = try run(
      "auth.signIn(providers['badge.example'].credential { number = '7', signature = 'x' })")
    #expect(early.status == 1)
    #expect(early.errors.contains("has no key yet"))

    let outcome = try run(
      "providers.configure('badge.example', { key = 'the key' })",
      """
      function badge(n)
        return providers['badge.example'].credential {
          number = n, signature = hash.hmac('sha256', 'the key', n) }
      end
      """,
      "ada = auth.signIn(badge '7').account",
      "print(ada.providerData[1].providerID, ada.providerData[1].uid)",
      "bo = accounts.create { email = 'bo@example.com', password = 'correct horse' }",
      "print(select(2, pcall(function() return bo:link(badge '7') end)).code)",
      "bo:link(badge '8')", "print(auth.signIn(badge '8').account.uid == bo.uid)",
      "bo:unlink 'badge.example'", "print(#bo.providerData)",
      "print(select(2, pcall(auth.signIn, providers['badge.example'].credential { number = '7', signature = 'forged' })).message)"
    )

    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("badge.example\t7"))
    #expect(lines.contains("credential-already-in-use"))
    #expect(lines.contains("true"))
    #expect(lines.contains("1"))
    #expect(lines.contains("The badge is not ours."))
    #expect(!outcome.output.contains("the key\n"))
  }

  @Test func `unusable files are reported, and the others work`() throws {
    _ = try folder.write("plugins/a.lua", plugin("a.example"))
    _ = try folder.write("plugins/b.lua", plugin("b.example").replacing("verify", with: "verfy"))
    _ = try folder.write("plugins/c.lua", plugin("google.com"))
    _ = try folder.write("plugins/z.lua", plugin("a.example", name: "Other"))

    let outcome = try run(
      "for _, p in ipairs(plugins.list()) do print(p.id, p.file:match('[^/]*$'), p.problem) end",
      "print(select(2, pcall(function() return providers['b'] end)).code)")

    #expect(outcome.errors.contains("b.lua:5: a provider has no field \"verfy\""))
    #expect(outcome.errors.contains("the id google.com is a built-in provider's"))
    #expect(outcome.errors.contains("z.lua:2: the id a.example is that of"))
    #expect(outcome.output.contains("a.example\ta.lua\tnil"))
    #expect(outcome.output.contains("nil\tb.lua\tb.lua:5:"))
    #expect(outcome.output.contains("invalid-plugin"))
  }

  @Test func `a file of any folder can be loaded, and read again`() throws {
    let file = try folder.write("elsewhere.lua", plugin("elsewhere.example"))

    let outcome = try run(
      "r = plugins.load '\(file)'", "print(r.id, r.previous)",
      "r = plugins.reload 'elsewhere.example'", "print(r.id, r.previous == r.version)",
      "plugins.reload 'elsewhere.exmple'")

    #expect(outcome.output.contains("elsewhere.example\tnil"))
    #expect(outcome.output.contains("elsewhere.example\ttrue"))
    #expect(outcome.errors.contains("Did you mean \"elsewhere.example\"?"))
  }

  @Test func `settings outlive their plug-in, and its absence is explained`() throws {
    let file = try folder.write("plugins/badge.example.lua", plugin("badge.example"))
    _ = try run("providers.configure('badge.example', { key = 'the key' })")
    try FileManager.default.removeItem(atPath: file)

    let outcome = try run("providers['badge.example'].name")

    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("is set up here, and its plug-in is not loaded"))
  }
}
