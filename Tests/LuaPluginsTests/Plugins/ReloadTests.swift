import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import TestSupport
@testable import LuaPlugins
import Synchronization
import Testing

@Suite(.serialized) struct ReloadTests {
  let home = PluginHome()
  let id = ProviderID("acme.example")

  /// A plug-in that returns its version before and after waiting for its vendor.
  private func text(_ version: Int) -> String {
    """
    local version = "\(version)"
    return provider {
      id = "acme.example", name = "Acme \(version)", hosts = { "api.acme.example" },
      credentials = { token = { token = field.text "the token" } },
      verify = function(credential, http)
        local before = version
        local me = http.get("https://api.acme.example/me", { query = { token = credential.token } }):json()
        return identity { subject = me.id, displayName = before .. "/" .. version, claims = { v = "\(version)" } }
      end,
    }
    """
  }

  private func plugins() -> PluginSet {
    home.vendor.answer("GET https://api.acme.example/me") { request in
      await Task.yield()
      return .json(["id": .string(request.fields["token"] ?? "")])
    }
    return PluginSet(host: home.host)
  }

  private func graph(_ plugins: PluginSet) -> AccountGraph {
    AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([]).adding(plugins),
      policies: LuaPolicyCompiler(), clock: { home.clock.now })
  }

  private let anyone = Caller(scope: Scope(project: "shop"), authority: .anyone)

  @Test func `a sign-in during a hundred replacements has one version, and no failure`()
    async throws
  {
    let plugins = plugins()
    try plugins.load(PluginSource(name: "acme.lua", text: text(0)))
    let graph = graph(plugins)
    let loaded = Mutex(0)

    let mixed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<2_000 {
        if number % 20 == 10 {
          let version = loaded.withLock { count in
            count += 1
            return count
          }
          try plugins.load(PluginSource(name: "acme.lua", text: text(version)))
        }
        group.addTask {
          let credential = try graph.providers.credential(id, ["token": "person-\(number % 50)"])
          let account = try await graph.signIn(credential, by: anyone).account
          let name = account.identities.first?.profile.displayName?.split(separator: "/") ?? []
          return name.count != 2 || name[0] != name[1]
        }
        if number % 64 == 63 { _ = try await group.next() }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }

    #expect(loaded.withLock(\.self) == 100)
    #expect(mixed == 0)
    #expect(home.log.records.isEmpty)
    #expect(plugins.plugins.first?.declaration.name == "Acme 100")
  }

  @Test func `a browser sign-in that began with one version ends with it`() async throws {
    func text(_ version: Int) -> String {
      """
      return provider {
        id = "acme.example", name = "Acme \(version)", kind = "oauth2", hosts = { "api.acme.example" },
        authorize = "https://acme.example/v\(version)", token = "https://api.acme.example/token",
        userinfo = "https://api.acme.example/me",
        identity = { subject = "id", displayName = function() return "version \(version)" end },
      }
      """
    }
    home.vendor.answer(
      "POST https://api.acme.example/token", json: ["access_token": "t", "token_type": "bearer"])
    home.vendor.answer("GET https://api.acme.example/me") { _ in .json(["id": "ada"]) }
    let plugins = PluginSet(host: home.host)
    try plugins.load(PluginSource(name: "acme.lua", text: text(1)))
    let graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([]).adding(plugins),
      policies: LuaPolicyCompiler(),
      services: GraphServices(secrets: EphemeralSealing()), clock: { home.clock.now })
    let admin = Caller(scope: anyone.scope, authority: .admin("ada"), reason: "test")
    _ = try await graph.configure(id, values: ["clientID": "app"], by: admin)
    func begin() async throws -> Authorization {
      try await graph.beginAuthorization(
        id, redirectURI: "https://app.example/back", session: "browser", by: anyone)
    }
    func end(_ begun: Authorization) async throws -> String? {
      let finished = try await graph.finishAuthorization(
        id, callback: ["state": begun.state, "code": "c"],
        redirectURI: "https://app.example/back", session: "browser", by: anyone)
      return try await graph.signIn(finished.credential, by: anyone)
        .account.identities.first?.profile.displayName
    }

    let early = try await begin()
    try plugins.load(PluginSource(name: "acme.lua", text: text(2)))
    let late = try await begin()

    #expect(early.url.hasPrefix("https://acme.example/v1?"))
    #expect(late.url.hasPrefix("https://acme.example/v2?"))
    #expect(try await end(late) == "version 2")
    #expect(try await end(early) == "version 1")
    // A version without a browser flow still lets the others finish theirs.
    let last = try await begin()
    try plugins.load(PluginSource(name: "acme.lua", text: self.text(9)))
    #expect(try await end(last) == "version 2")
    // An unknown version is not replaced by another one.
    #expect(throws: AuthError.self) { try graph.providers.provider(id, version: "000000000000") }
    try plugins.load(PluginSource(name: "acme.lua", text: text(2)))
    // Once no browser can come back to it any more, the next load drops the old version.
    weak let second = plugins.plugins.first?.core
    home.clock.advance(seconds: 1_000)
    try plugins.load(PluginSource(name: "acme.lua", text: text(3)))
    #expect(second == nil)
  }

  @Test func `a version without users is gone`() async throws {
    let plugins = plugins()
    weak var first: LoadedPlugin?
    try plugins.load(PluginSource(name: "acme.lua", text: text(0)))
    first = plugins.plugins.first?.core
    #expect(first != nil)

    for version in 1...5 {
      try plugins.load(PluginSource(name: "acme.lua", text: text(version)))
      _ = try await graph(plugins).signIn(
        try graph(plugins).providers.credential(id, ["token": "ada"]), by: anyone)
    }

    #expect(first == nil)
  }

  @Test
  func `a new version that cannot be used is refused with file and line, and the old one stays`()
    async throws
  {
    let plugins = plugins()
    try plugins.load(PluginSource(name: "acme.lua", text: text(1)))
    let broken = [
      (text(2).replacing("return identity {", with: "return identity {{"), "acme.lua:"),
      (text(2).replacing("hosts =", with: "hotsts ="), "did you mean"),
      (text(2).replacing("acme.example\", name", with: "google.com\", name"), "built-in"),
      ("return 1", "declares no provider"), ("error 'no'", "acme.lua:1: no"),
      ("while true do end", "budget"), ("local t = {} while true do t[#t+1] = {} end", "memory"),
    ]
    for (text, why) in broken {
      let error = #expect(throws: AuthError.self, "\(why)") {
        try plugins.load(PluginSource(name: "acme.lua", text: text))
      }
      #expect(error?.code == .invalidPlugin)
      #expect(
        error?.description.lowercased().contains(why) == true
          || error?.message.contains("CPU time") == true, "\(why): \(String(describing: error))")
    }

    #expect(plugins.plugins.first?.declaration.name == "Acme 1")
    let graph = graph(plugins)
    let credential = try graph.providers.credential(id, ["token": "ada"])
    #expect(try await graph.signIn(credential, by: anyone).isNewUser)
  }
}

@Suite struct FolderTests {
  let home = PluginHome()
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "plugins-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  private func plugin(_ id: String, _ name: String) -> String {
    """
    return provider {
      id = "\(id)", name = "\(name)", credentials = { token = { token = field.text "the token" } },
      verify = function(credential) return identity { subject = credential.token } end,
    }
    """
  }

  @Test func `files are picked up as they come, change and go`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder)
    #expect(plugins.scan().isEmpty)

    try write("a.lua", plugin("a.example", "One"))
    try write("notes.txt", "not a plug-in")
    #expect(plugins.scan().map(\.summary) == ["loaded a.example"])
    #expect(plugins.scan().isEmpty)

    try write("a.lua", plugin("a.example", "Two"))
    try write("b.lua", plugin("b.example", "Bee"))
    #expect(plugins.scan().map(\.summary) == ["replaced a.example", "loaded b.example"])
    #expect(plugins.plugins.map(\.declaration.name) == ["Two", "Bee"])

    try write("a.lua", "return provider {")
    #expect(plugins.scan().map(\.summary) == ["refused a.lua:1"])
    #expect(plugins.scan().isEmpty)
    #expect(plugins.refused.map(\.file) == ["\(folder)/a.lua"])
    #expect(plugins.plugins.map(\.declaration.name) == ["Two", "Bee"])

    try write("a.lua", plugin("a.example", "Three"))
    #expect(plugins.scan().map(\.summary) == ["replaced a.example"])
    #expect(plugins.refused.isEmpty)

    try FileManager.default.removeItem(atPath: "\(folder)/b.lua")
    #expect(plugins.scan().isEmpty)
    #expect(plugins.ids.count == 2)
    #expect(plugins.scan().map(\.summary) == ["gone b.example"])
    #expect(plugins.ids == [ProviderID("a.example")])
  }

  @Test func `a file that is away for a moment leaves its provider`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder)
    try write("a.lua", plugin("a.example", "One"))
    plugins.scan()

    for _ in 0..<2 {
      try FileManager.default.moveItem(atPath: "\(folder)/a.lua", toPath: "\(folder)/a.backup")
      #expect(plugins.scan().isEmpty)
      #expect(plugins.ids == [ProviderID("a.example")])
      try FileManager.default.moveItem(atPath: "\(folder)/a.backup", toPath: "\(folder)/a.lua")
      #expect(plugins.scan().isEmpty)
    }
    #expect(plugins.plugins.map(\.declaration.name) == ["One"])
  }

  @Test func `a file that has another ID now is not the old provider any more`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder)
    try write("a.lua", plugin("a.example", "One"))
    plugins.scan()

    try write("a.lua", plugin("other.example", "One"))
    let news = plugins.scan()

    #expect(news.map(\.summary) == ["loaded other.example"])
    #expect(plugins.ids == [ProviderID("other.example")])
    guard case .loaded(let change)? = news.first else { return }
    #expect(change.former == ProviderID("a.example"))
  }

  @Test func `two files cannot be one provider`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder)
    try write("a.lua", plugin("a.example", "One"))
    try write("z.lua", plugin("a.example", "Other"))

    #expect(plugins.scan().map(\.summary) == ["loaded a.example", "refused z.lua:2"])
    #expect(plugins.plugins.map(\.declaration.name) == ["One"])
  }

  @Test func `a missing folder is reported`() {
    let error = #expect(throws: AuthError.self) {
      try PluginSet(host: home.host).add(folder: "\(folder)/nowhere")
    }
    #expect(error?.code == .invalidArgument && error?.field == "plugins")
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func `a watch picks changes up by itself, until it is cancelled`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder)
    let news = AsyncStream<String>.makeStream()
    let watch = Task {
      await plugins.watch(every: .milliseconds(5)) { news.continuation.yield($0.summary) }
      news.continuation.finish()
    }
    var heard = news.stream.makeAsyncIterator()

    try write("a.lua", plugin("a.example", "One"))
    #expect(await heard.next() == "loaded a.example")
    try write("a.lua", plugin("a.example", "Two"))
    #expect(await heard.next() == "replaced a.example")

    watch.cancel()
    #expect(await heard.next() == nil)
  }
}

extension PluginNews {
  /// The news in words, for comparison in tests.
  var summary: String {
    switch self {
    case .refused(_, let error): "refused \(error.message.prefix { $0 != " " }.dropLast())"
    case .loaded(let change) where change.to == nil: "gone \(change.provider)"
    case .loaded(let change):
      change.from == nil ? "loaded \(change.provider)" : "replaced \(change.provider)"
    }
  }
}
