import AuthCore
import Foundation
import Testing
import TestSupport

/// The diagnoses of `doctor` that concern plug-ins, and variables that options replace.
@Suite struct `What doctor says about plug-ins` {
  private let folder: TemporaryFolder
  private static let hook = """
    return provider {
      id = "hook.example", name = "Hook", kind = "custom", hosts = {},
      settings = { secret = setting.secret { "its secret", required = true } },
      credentials = { none = { token = field.secret "not used" } },
      verify = function() refuse "use another provider" end,
      events = function() return {} end,
    }
    """

  init() throws {
    folder = try TemporaryFolder()
  }

  private func doctor(_ further: String = "") throws -> Program.Outcome {
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\n\(further)")
    return try Program.run(
      ["doctor", "--config", file, "--json"], in: folder, environment: ["AUTHGRAPH_STORE": ""])
  }

  @Test func `an old system without its plug-in is an error, in every project`() throws {
    for project in ["default", "unserved"] {
      let set = try Program.run(
        [
          "console", "--create", "--project", project, "-e",
          "settings.set { signIn = { passwordMigration = 'old.example' } }",
        ], in: folder)
      #expect(set.status == 0, "\(set.errors)")
    }
    let outcome = try doctor()
    #expect(outcome.status == 1)
    for project in ["default", "unserved"] {
      #expect(
        outcome.output.contains("signIn.passwordMigration of \(project) names old.example"),
        "\(outcome.output)")
    }
    #expect(outcome.output.contains("Load its plug-in, or unset it."))
  }

  @Test func `the address of a plug-in's events is shown once it is set up`() throws {
    let plugins = "\(folder.path)/plugins"
    try FileManager.default.createDirectory(
      atPath: plugins, withIntermediateDirectories: true)
    _ = try folder.write("plugins/hook.example.lua", Self.hook)
    let address = "http://127.0.0.1:9099/v1/projects/default/providers/hook.example:events"
    let list = ["console", "--create", "--plugins", plugins, "-e"]

    let before = try Program.run(
      list + ["return providers['hook.example'].setUp"], in: folder)
    #expect(before.output.contains("false"), "\(before.errors)")
    #expect(!(try doctor("plugins: [plugins]\n")).output.contains(address))
    let set = try Program.run(
      list + ["providers.configure('hook.example', { secret = 'hush-hush-hush' })"], in: folder)
    #expect(set.status == 0, "\(set.errors)")
    let after = try doctor("plugins: [plugins]\n")
    #expect(after.output.contains(address), "\(after.output)")
  }

  @Test func `a variable that an option replaces is known`() throws {
    let outcome = try Program.run(
      ["doctor", "--store", "sqlite:\(folder.store)", "--project", "other"], in: folder,
      environment: ["AUTHGRAPH_PROJECT": "default"])
    #expect(!outcome.output.contains("No setting uses"), "\(outcome.output)")
  }
}
