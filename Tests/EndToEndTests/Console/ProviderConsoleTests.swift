import AuthCore
import FakeVendors
import Foundation
import Testing
import TestSupport

/// Configuration of providers and sign-ins with them, through the console binary.
@Suite struct `Providers in the console` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a configured Google signs in with an ID token`() async throws {
    let google = try await FakeGoogle.start()
    let token = try google.idToken(for: .ada)
    let code =
      google.configuration + """
        local credential = providers["google.com"].credential { idToken = "\(token)" }
        local result = auth.signIn(credential)
        print(result.isNewUser, result.account.email, result.account.providerData[1].uid)
        local ok, err = pcall(auth.signIn, credential)
        print(err.code)
        print(result.trace)
        """
    let output = try await blocking { [folder] in try folder.lua(code) }
    let lines = output.split(separator: "\n")
    #expect(lines[0] == "true\tada@example.com\t110169484474386276334")
    #expect(lines[1] == "invalid-credential")
    await google.stop()
  }

  @Test func `the function why names the setting that decided`() async throws {
    let google = try await FakeGoogle.start()
    let person = FakePerson(subject: "77", email: "ada@gmail.com")
    let token = try google.idToken(for: person)
    let code =
      google.configuration + """
        accounts.create { email = "ada@gmail.com", emailVerified = true }
        local result = auth.signIn(providers["google.com"].credential { idToken = "\(token)" })
        print(result.isNewUser)
        print(why(result.receipt))
        """
    let output = try await blocking { [folder] in try folder.lua(code) }
    #expect(output.hasPrefix("false\n"))
    let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("trust google.com for"), "\(output)")
    await google.stop()
  }

  @Test func `settings are checked, secrets are sealed and never shown`() throws {
    let output = try folder.lua(
      """
      local receipt = providers.configure("google.com",
        { clientIDs = { "web.example" }, clientSecret = "hush-hush-77" })
      print(receipt.action)
      local set = providers["google.com"].configuration
      print(set.clientIDs[1], set.clientSecret)
      local function code(body) local ok, err = pcall(body); return err.code, err.field end
      print(code(function() providers.configure("google.com", { clientIds = {} }) end))
      print(code(function() providers.configure("google.com", { clientIDs = 5 }) end))
      print(code(function() providers.configure("google.con", { clientIDs = {} }) end))
      print(code(function() providers.configure("google.com", { endpoints = { kees = "https://x.example/" } }) end))
      providers.configure("google.com", { clientSecret = json.null })
      print(providers["google.com"].configuration.clientSecret)
      providers.forget "google.com"
      print(next(providers["google.com"].configuration))
      """)
    #expect(
      output == """
        configure-provider
        web.example\t•••
        invalid-argument\tclientIds
        invalid-argument\tclientIDs
        invalid-provider-id\tproviderID
        invalid-argument\tkees
        nil
        nil
        """)
    let key = try FileManager.default.attributesOfItem(atPath: "\(folder.store).key")
    #expect(key[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a key file that others may read is refused with the remedy`() throws {
    try folder.lua("providers.configure('google.com', { clientSecret = 'x' })")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: "\(folder.store).key")
    let outcome = try folder.run("providers.configure('google.com', { clientSecret = 'y' })")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("chmod 600"))
  }

  @Test func `Tab completes the settings of a provider`() throws {
    let terminal = try Terminal("'\(Program.path)'", in: folder)
    try terminal.wait(for: "authgraph>")
    try terminal.type("providers.configure(\"google.com\", { clientS")
    try terminal.press("Tab")
    try terminal.wait(for: "{ clientSecret =")
    try terminal.interrupt()
    try terminal.clear()
    try terminal.type("providers[\"google.com\"].credential { idT")
    try terminal.press("Tab")
    try terminal.wait(for: "{ idToken =")
  }

  @Test func `a browser's way through an OpenID provider, in two lines`() async throws {
    let provider = try await FakeOIDC.start()
    let (issuer, host) = (provider.issuer, provider.server.host)
    let (terminal, url) = try await blocking { [folder] in
      let terminal = try Terminal("'\(Program.path)'", in: folder, columns: 400)
      try terminal.wait(for: "authgraph>")
      try terminal.enter(
        "providers.configure('oidc.staff', { issuer = '\(issuer)', clientID = '\(FakeClient.web.id)',"
          + " clientSecret = '\(FakeClient.web.secret ?? "")', privateHosts = { '\(host)' } })",
        until: "configure-provider")
      try terminal.enter(
        "print(auth.authorize('oidc.staff', { redirectURI = 'https://app.example/back' }))",
        until: "/authorize?")
      let shown = try terminal.screen()
      return (terminal, String(try #require(shown.firstMatch(of: /\n(http:\S+)/)).output.1))
    }
    let answer = try await provider.authorize(url, as: .ada)
    _ = try await blocking {
      try terminal.enter(
        "auth.signIn(auth.callback('oidc.staff', '\(answer.url)')).account.email",
        until: "\nada@example.com")
    }
    await provider.stop()
  }
}

extension FakeGoogle {
  /// Lua code that configures the provider with this vendor's address.
  var configuration: String {
    """
    providers.configure("google.com", {
      clientIDs = { "\(FakeClient.web.id)" }, privateHosts = { "\(server.host)" },
      endpoints = {
        keys = "\(keysURL)", tokenInfo = "\(tokenInfoURL)", userInfo = "\(userInfoURL)" } })

    """
  }
}
