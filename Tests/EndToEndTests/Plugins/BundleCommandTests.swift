import AuthCore
import FakeVendors
import Foundation
import Testing
import TestSupport

/// `authgraph plugin pack`, `keygen`, `sign` and `install`, as the author and the admin use them.
@Suite struct `The commands for bundles` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var bundle: String { "\(folder.path)/orbit.plugin" }
  private var plugins: String { "\(folder.path)/plugins" }

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(arguments, in: folder, environment: environment)
  }

  private func plugin(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try run(["plugin"] + arguments, environment: environment)
  }

  /// Writes a plug-in, and packs it.
  private func pack(version: String = "1.0.0", hosts: String = "\"orbit.example\"") throws {
    let file = try folder.write(
      "orbit.example.lua",
      """
      return provider {
        id = "orbit.example", name = "Orbit", kind = "oauth2", api = 1, version = "\(version)",
        documentation = "https://orbit.example/docs", hosts = { \(hosts) }, license = "MIT",
        authorize = "https://orbit.example/authorize", token = "https://orbit.example/token",
        userinfo = "https://orbit.example/me",
        identity = { subject = "id" },
      }
      """)
    let outcome = try plugin("pack", file, "--output", bundle)
    guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
  }

  /// Makes a key, signs the bundle, and returns the public key.
  private func sign(_ name: String = "orbit.key") throws -> String {
    let file = "\(folder.path)/\(name)"
    let made = try plugin("keygen", file)
    let signed = try plugin("sign", bundle, "--key", file)
    guard signed.status == 0 else { throw Failed(description: signed.errors) }
    return made.output.trimmingCharacters(in: .newlines)
  }

  private func install(
    _ more: String..., environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try run(
      ["plugin", "install", bundle, "--folder", plugins] + more, environment: environment)
  }

  @Test func `a key is for its owner alone, and is never written over`() throws {
    let file = "\(folder.path)/orbit.key"

    let made = try plugin("keygen", file)
    let text = try folder.read("orbit.key")
    let again = try plugin("keygen", file)

    #expect(made.status == 0 && made.output.hasPrefix("ed25519:"))
    #expect(try permissions(of: file) == 0o600)
    #expect(
      text.hasPrefix("ed25519-secret:") && !made.output.contains(text.dropFirst(15).prefix(20)))
    #expect(again.status == 1 && again.errors.contains("cannot be written"))
    #expect(try folder.read("orbit.key") == text)
  }

  @Test func `a bundle is installed after a look, and is listed`() throws {
    try pack()
    let key = try sign()

    let asked = try install("--key", key)
    #expect(asked.status == 1 && asked.output.contains("hosts: +orbit.example"))
    #expect(asked.errors.contains("--yes"), "\(asked.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(plugins)/orbit.example.plugin"))

    let installed = try install("--key", key, "--yes")
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(installed.output.contains("secrets: +clientSecret"))
    #expect(installed.output.hasSuffix("orbit.example.plugin is written.\n"))
    #expect(try install("--key", key).output == "orbit.example 1.0.0 is installed already.\n")
    let list = try plugin("list", plugins)
    #expect(list.status == 0 && list.output.contains("1.0.0"), "\(list.errors)")
    let json = try JSONValue(text: try plugin("list", "--json", plugins).output)
    guard case .array(let entries) = json else { throw Failed(description: json.text) }
    #expect(entries.first?["release"] == "1.0.0" && entries.first?["license"] == "MIT")
  }

  @Test func `a new version shows what it adds`() throws {
    try pack()
    #expect(try install("--yes").status == 0)
    try pack(version: "1.1.0", hosts: "\"orbit.example\", \"cdn.orbit.example\"")

    let outcome = try install("--yes")

    #expect(outcome.output.contains("replaces: 1.0.0\n"))
    #expect(outcome.output.contains("hosts: +cdn.orbit.example\n"))
    #expect(!outcome.output.contains("secrets:"))
    #expect(try folder.read("plugins/plugins.lock").contains("\"version\" : \"1.1.0\""))
  }

  @Test func `attack: a bundle that was changed after its installation is reported everywhere`()
    throws
  {
    try pack()
    #expect(try install("--yes").status == 0)
    try pack(hosts: "\"orbit.example\", \"evil.example\"")
    try FileManager.default.removeItem(atPath: "\(plugins)/orbit.example.plugin")
    try FileManager.default.copyItem(
      atPath: bundle, toPath: "\(plugins)/orbit.example.plugin")

    let list = try plugin("list", plugins)
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: https://127.0.0.1:1\nstore: sqlite:accounts.db\nplugins: [\(plugins)]\n")
    let doctor = try run(["doctor", "--config", file])
    let console = try run(
      ["console", "--plugins", plugins, "--store", "memory:", "-e", "plugins.list()"])
    let again = try install("--yes")

    #expect(list.status == 1 && list.errors.contains("is not the bundle that was installed"))
    #expect(doctor.output.contains("is not the bundle that was installed"))
    #expect(console.errors.contains("is not the bundle that was installed"))
    #expect(again.status == 1 && again.errors.contains("has another content"))
  }

  @Test func `attack: a configured key is required, also by force`() throws {
    try pack()
    let environment = [
      "AUTHGRAPH_PLUGIN_KEYS": "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    ]

    let unsigned = try install("--yes", "--force", environment: environment)
    let key = try sign()
    let foreign = try install("--yes", "--force", environment: environment)
    let named = try install("--yes", "--key", key, environment: environment)
    #expect(try install("--yes").status == 0)
    let console = try run(
      ["console", "--plugins", plugins, "--store", "memory:", "-e", "plugins.list()"],
      environment: environment)

    #expect(unsigned.status == 1 && unsigned.errors.contains("is not signed"))
    #expect(foreign.status == 1 && foreign.errors.contains("is signed by \(key) only"))
    #expect(named.status == 1 && named.errors.contains("is not one of pluginKeys"))
    #expect(console.errors.contains("is signed by"), "\(console.errors)")
  }

  @Test func `attack: keys that cannot be read do not count as none`() throws {
    try pack()

    let outcome = try install("--yes", environment: ["AUTHGRAPH_PLUGIN_KEYS": "nonsense"])

    #expect(outcome.status == 1 && outcome.errors.contains("its keys are unknown"))
  }

  @Test func `a bundle of a server needs TLS and a key`() async throws {
    try pack()
    let key = try sign()
    let bytes = Array(try folder.read("orbit.plugin").utf8)
    let server = try await VendorServer.start { request in
      request.path == "/orbit.plugin" ? VendorResponse(body: bytes) : nil
    }
    let base = "http://127.0.0.1:\(server.port)"
    let folder = folder
    let plugins = plugins
    func get(_ url: String, _ more: [String]) async throws -> Program.Outcome {
      try await blocking {
        try Program.run(
          ["plugin", "install", url, "--folder", plugins, "--yes"] + more, in: folder)
      }
    }

    let plain = try await get("http://orbit.example/orbit.plugin", ["--key", key])
    let unknown = try await get("\(base)/orbit.plugin", [])
    let missing = try await get("\(base)/other.plugin", ["--key", key])
    let installed = try await get("\(base)/orbit.plugin", ["--key", key])
    await server.stop()

    #expect(plain.status == 1 && plain.errors.contains("is no https address"))
    #expect(unknown.status == 1 && unknown.errors.contains("needs a key"))
    #expect(missing.status == 1 && missing.errors.contains("answered 404"))
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(try folder.read("plugins/plugins.lock").contains("\(base)/orbit.plugin"))
  }

  @Test func `a changed file is repaired by force`() throws {
    try pack()
    #expect(try install("--yes").status == 0)
    try folder.write("plugins/orbit.example.plugin", "damaged")

    let refused = try install("--yes")
    let repaired = try install("--yes", "--force")

    #expect(refused.status == 1 && refused.errors.contains("was changed after its installation"))
    #expect(repaired.output.hasSuffix("orbit.example.plugin is written.\n"), "\(repaired.output)")
    #expect(try plugin("list", plugins).status == 0)
  }

  @Test func `a signed bundle is packed over only by force`() throws {
    try pack()
    let key = try sign()
    let signed = try folder.read("orbit.plugin")
    let file = "\(folder.path)/orbit.example.lua"

    let refused = try plugin("pack", file, "--output", bundle)
    #expect(refused.status == 1 && refused.errors.contains("is signed by \(key)"))
    #expect(try folder.read("orbit.plugin") == signed)
    #expect(try plugin("pack", file, "--output", bundle, "--force").status == 0)
    #expect(try !folder.read("orbit.plugin").contains(key))
  }

  @Test func `a bundle is listed, checked and tested with its fixture, in a folder too`() throws {
    _ = try plugin("new", "my.example", "--kind", "custom", "--folder", folder.path)
    let text = try folder.read("my.example.lua")
      .replacing("api = 1,", with: "api = 1, version = \"1.0.0\",")
    let file = try folder.write("my.example.lua", text)
    try FileManager.default.createDirectory(
      atPath: plugins, withIntermediateDirectories: true)
    let packed = "\(plugins)/my.example-1.0.0.plugin"
    #expect(try plugin("pack", file, "--output", packed).status == 0)

    let alone = try plugin("test", packed)
    let inFolder = try plugin("test", plugins)
    let check = try plugin("check", plugins)
    #expect(alone.status == 0 && alone.output.contains("  ok      a ticket ("), "\(alone.errors)")
    #expect(inFolder.status == 0 && inFolder.output.hasPrefix("\(packed)\n"))
    #expect(check.status == 0 && !check.output.contains("other-id"), "\(check.output)")
    #expect(check.output.hasSuffix("1 checked, 0 errors, 1 warnings\n"), "\(check.output)")

    let installed = "\(folder.path)/installed"
    #expect(try plugin("install", packed, "--folder", installed, "--yes").status == 0)
    #expect(try plugin("list", installed).output.contains("3 documentation"))
  }

  @Test func `a server says which version replaced which`() async throws {
    try pack()
    #expect(try install("--yes").status == 0)
    let plugins = plugins
    let server = try await blocking { [folder] in
      try RunningServer(
        ["--compat", "emulator", "--port", "0", "--plugins", plugins], in: folder)
    }
    try pack(version: "1.1.0")
    #expect(try install("--yes").status == 0)

    let log = try await blocking {
      defer { server.kill() }
      return try server.wait(for: "A plug-in was replaced: version ")
    }

    #expect(log.firstMatch(of: /replaced: version [0-9a-f]{12} by [0-9a-f]{12}/) != nil, "\(log)")
  }
}
