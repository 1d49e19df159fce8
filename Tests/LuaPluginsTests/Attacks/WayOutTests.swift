import AuthCore
import FakeVendors
import HTTPClientTransport
import LuaPlugins
import Testing
import TestSupport

extension PlayedResolver {
  fileprivate func transport(
    isPublic: @escaping @Sendable (IPAddress) -> Bool = \.isPublic
  ) -> HTTPClientTransport {
    HTTPClientTransport(
      environment: [:], resolver: { self.addresses(of: $0).compactMap { IPAddress($0) } },
      addressLifetime: .zero,
      isPublic: isPublic)
  }
}

/// The allowed targets of a plug-in's requests.
@Suite(.serialized) struct `A plug-in's way out` {
  /// Requests the address in the setting, with the given `options`.
  private func asking(_ url: String, options: String = "{}") -> String {
    script("return identity { subject = http.get(\(url), \(options)):json().id }")
  }

  private func refused(
    _ home: PluginGraph, token: String = "t", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> AuthError {
    let error = await expectError { try await home.signIn("test.example", ["token": token]) }
    #expect(try await home.accountCount() == 0, sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
  }

  static let elsewhere = [
    "https://other.example/", "https://test.example/", "https://evil.api.test.example/",
    "https://api.test.example.evil.example/", "https://api.test.example@evil.example/",
    "https://api.test.example:secret@evil.example/", "https://evil.example@api.test.example/",
    #"https://api.test.example\\@evil.example/"#, #"https://evil.example\\@api.test.example/"#,
    #"https://evil.example\\.api.test.example/"#, "https://evil.example#@api.test.example/",
    "https://evil.example?@api.test.example/", "https://api.test.example./",
    "https://api.test.example:8443/", "https://api.test.example%2eevil.example/",
    "https://api.test.example%00.evil.example/", "https://api%2etest.example/",
    "https://127.0.0.1/", "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:127.0.0.1]/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/",
    "https://localhost/", "https://metadata.google.internal/", "http://api.test.example/",
    "HTTP://api.test.example/", "ftp://api.test.example/", "file:///etc/passwd",
    "file://api.test.example/etc/passwd", "gopher://api.test.example/", "unix:///tmp/socket",
    "//api.test.example/", "/path", "", "https://", "https:/api.test.example/",
    #"https://api.test.example/\r\nX: y"#, #"https://api.test.example\r\n.evil.example/"#,
    #"https://api.test.example\t/"#, " https://api.test.example/",
  ]

  @Test(arguments: elsewhere)
  func `attack 29: leads to no host that is not declared, nor without TLS`(
    _ url: String
  ) async throws {
    let names = PlayedResolver(["127.0.0.1"])
    let transport = names.transport { _ in true }
    let home = try PluginGraph(asking("\"\(url)\""), transport: transport)

    let error = try await refused(home)

    #expect([.pluginFailed, .networkRequestFailed].contains(error.code), "\(error)")
    #expect(names.asked.isEmpty)
    try await transport.shutdown()
  }

  @Test(arguments: elsewhere)
  func `attack 29: hides no refused request behind pcall or a coroutine`(_ url: String) async throws
  {
    let names = PlayedResolver(["127.0.0.1"])
    let transport = names.transport { _ in true }
    let home = try PluginGraph(
      script(
        """
        pcall(http.get, "\(url)")
        pcall(coroutine.wrap(function() return http.post("\(url)", { form = { a = "b" } }) end))
        return identity { subject = "7" }
        """), transport: transport)

    _ = try? await home.signIn("test.example", ["token": "t"])

    #expect(names.asked.isEmpty)
    try await transport.shutdown()
  }

  @Test(arguments: [
    "https://api.test.example/", "https://API.Test.EXAMPLE/", "HTTPS://api.test.example/a?b=c",
  ])
  func `leads to the declared host in any spelling`(_ url: String) async throws {
    let names = PlayedResolver([])
    let transport = names.transport()
    let home = try PluginGraph(asking("\"\(url)\""), transport: transport)

    let error = try await refused(home)

    #expect(error.code == .networkRequestFailed && error.step == .profile)
    #expect(names.asked == ["api.test.example"])
    try await transport.shutdown()
  }

  @Test(arguments: [
    ["127.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"], ["::ffff:169.254.169.254"],
    ["10.0.0.1"], ["fd00::1"], ["8.8.8.8", "127.0.0.1"],
  ])
  func `attack 29: leads to no private address behind a declared name`(
    _ addresses: [String]
  ) async throws {
    let transport = HTTPClientTransport(
      environment: [:], resolver: { _ in addresses.compactMap { IPAddress($0) } })
    let home = try PluginGraph(asking("\"https://api.test.example/\""), transport: transport)

    let error = try await refused(home)

    #expect(error.code == .networkRequestFailed)
    #expect(error.message == "api.test.example is, or has, a private address.")
    try await transport.shutdown()
  }

  @Test func `attack 29: leads nowhere if a name changes its address after the check`()
    async throws
  {
    let inner = try await VendorServer.start { _ in .json(["id": "7"]) }
    // 127.0.0.12 stands for a public address on which no server listens.
    let names = PlayedResolver(["127.0.0.12"], ["127.0.0.1"])
    let transport = names.transport { $0 == IPAddress("127.0.0.12") }
    let text = script(
      "return identity { subject = http.get('https://' .. settings.place .. '/'):json().id }"
    ).replacing(
      "hosts = { \"api.test.example\" },",
      with: "hosts = { \"{place}\" }, settings = { place = setting.host 'where' },")
    let home = try PluginGraph(text, transport: transport)
    try await home.configure(
      "test.example", ["place": .string("rebind.example.com:\(inner.port)")])

    let first = try await refused(home)
    #expect(names.asked.count == 1)
    let second = try await refused(home)

    #expect(first.code == .networkRequestFailed)
    #expect(!first.message.contains("private"), "\(first)")
    #expect(second.message == "rebind.example.com is, or has, a private address.")
    #expect(inner.requests.isEmpty)
    try await transport.shutdown()
    await inner.stop()
  }

  @Test func `attack 29: follows no redirect, to another host or the same`() async throws {
    for place in ["https://evil.example/", "https://api.test.example/there", "/there"] {
      let vendor = ScriptedVendor()
      vendor.answer("GET https://api.test.example/here") { _ in
        HTTPResponse(status: 302, headers: ["location": place], body: Array("{\"id\":\"7\"}".utf8))
      }
      let home = try PluginGraph(asking("'https://api.test.example/here'"), transport: vendor)

      let error = try await refused(home)

      #expect(error.code == .networkRequestFailed)
      #expect(vendor.requests.count == 1)
    }
  }

  @Test func `attack 29: a server that stands in reaches nothing private on its own`() async throws
  {
    let inner = try await VendorServer.start { _ in .json(["id": "7"]) }
    let names = PlayedResolver(["127.0.0.1"])
    let transport = names.transport()
    let home = try PluginGraph(asking("'https://api.test.example/me'"), transport: transport)

    let places = [
      inner.url, "https://\(inner.host)", "https://inside.example:\(inner.port)",
      "https://localhost:\(inner.port)", "https://[::ffff:127.0.0.1]:\(inner.port)",
      "https://2130706433:\(inner.port)", "https://169.254.169.254",
    ]
    for place in places {
      try await home.configure(
        "test.example", ["servers": ["api.test.example": .string(place)]])
      let error = try await refused(home)
      #expect(error.code == .networkRequestFailed, "\(place)")
      #expect(inner.requests.isEmpty, "\(place)")
    }
    // With an admin's permission it works.
    try await home.configure(
      "test.example",
      [
        "servers": ["api.test.example": .string(inner.url)],
        "privateHosts": [.string(inner.host)],
      ])
    let account = try await home.signIn("test.example", ["token": "t"]).account
    #expect(account.identities.map(\.key.subject) == ["7"])
    #expect(inner.requests.map(\.path) == ["/me"])
    try await transport.shutdown()
    await inner.stop()
  }

  @Test func `attack 29: an allowed private host still has to be declared`()
    async throws
  {
    let inner = try await VendorServer.start { _ in .json(["id": "7"]) }
    let transport = PlayedResolver([]).transport()
    let home = try PluginGraph(asking("'\(inner.url)/me'"), transport: transport)
    // Allowed to be private, but neither declared nor standing in for a declared host.
    try await home.configure("test.example", ["privateHosts": [.string(inner.host)]])

    let error = try await refused(home)

    #expect(error.code == .pluginFailed)
    #expect(inner.requests.isEmpty)
    try await transport.shutdown()
    await inner.stop()
  }
}
