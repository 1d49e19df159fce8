import AuthCore
import Foundation
import Testing
import TestSupport

/// `authgraph idp` and `authgraph console` as two processes that communicate.
@Suite struct `The identity provider in the box` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `an ID token signs in, links and is unlinked`() async throws {
    let output = try await blocking { [folder] in
      let provider = try RunningProvider(in: folder)
      let ada = try provider.tokens()
      let bo = try provider.tokens("person=bo@example.com")
      return try folder.lua(
        provider.configuration + """
          local idp = providers["oidc.idp"]
          local result = auth.signIn(idp.credential {
            idToken = "\(ada.id)", accessToken = "\(ada.access)", nonce = "n1" })
          print(result.isNewUser, result.account.email, result.account.providerData[1].uid)
          local bo = accounts.create { email = "bo@example.net", password = "a-long-password-7" }
          bo:link(idp.credential { idToken = "\(bo.id)" })
          print(bo.providerData[#bo.providerData].uid)
          bo:unlink "oidc.idp"
          for _, identity in ipairs(accounts.get(bo.uid).providerData) do print(identity.providerID) end
          """)
    }

    #expect(output == "true\tada@example.com\t1001\n1002\npassword")
  }

  @Test func `an authorization code with PKCE signs in, by way of a browser`() async throws {
    try await blocking { [folder] in
      let provider = try RunningProvider(in: folder)
      let terminal = try Terminal("'\(Program.path)'", in: folder, columns: 600)
      try terminal.wait(for: "authgraph>")
      try terminal.enter(
        provider.configuration.trimmingCharacters(in: .newlines), until: "configure-provider")
      let url = try terminal.authorizationURL(of: "oidc.idp", mark: "first")
      #expect(url.contains("code_challenge_method=S256"))
      let page = try RunningProvider.curl([url])
      #expect(page.contains("Ada Lovelace"))
      let back = try provider.browse(url)
      try terminal.enter(
        "auth.signIn(auth.callback('oidc.idp', '\(back)')).account.email",
        until: "\nada@example.com")
      let cancelled = try RunningProvider.curl([
        "-o", "/dev/null", "-w", "%{redirect_url}",
        try terminal.authorizationURL(of: "oidc.idp", mark: "second") + "&cancel=1",
      ])
      try terminal.enter("auth.callback('oidc.idp', '\(cancelled)')", until: "access_denied")
    }
  }

  @Test func `a made-up vendor's routes are played from a script`() async throws {
    try await blocking { [folder] in
      let script = try folder.write(
        "vendor.json", try Program.run(["idp", "--example"], in: folder).output)
      let provider = try RunningProvider(["--script", script], in: folder)
      let access = try provider.tokens("person=1001").access
      let bearer = ["-H", "Authorization: Bearer \(access)"]

      let me = try RunningProvider.curl(bearer + ["\(provider.issuer)/api/users/@me"])
      let teams = try RunningProvider.curl(
        bearer + ["-o", "/dev/null", "-w", "%{http_code}", "\(provider.issuer)/api/teams"])
      let logout = try RunningProvider.curl(
        bearer + ["-X", "POST", "-w", "%{http_code}", "\(provider.issuer)/api/logout"])

      let profile = try JSONValue(text: me)
      #expect(profile["id"] == "1001")
      #expect(profile["verified"] == true)
      #expect(profile["profile_url"] == "https://people.example/ada")
      #expect(teams == "429")
      #expect(logout == "204")
      #expect(provider.overview["clients"]?.text.contains("my-mobile-app") == true)
      let signedIn = try folder.lua(
        provider.configuration + """
          local token = "\(try provider.tokens("person=1002").id)"
          print(auth.signIn(providers["oidc.idp"].credential { idToken = token }).account.emailVerified)
          """)
      #expect(signedIn == "false")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it with 0`(_ signal: Int32) async throws {
    let status = try await blocking { [folder] in
      let provider = try RunningProvider(["--hostile", "never-answers"], in: folder)
      return try provider.end(by: signal)
    }

    #expect(status == 0)
  }

  @Test func `Ctrl-C in a terminal ends it with 0, and the port is free again`() async throws {
    try await blocking { [folder] in
      let first = try RunningProvider(in: folder)
      let port = try #require(first.issuer.split(separator: ":").last)
      #expect(try first.end(by: SIGTERM) == 0)
      let terminal = try Terminal("'\(Program.path)' idp --port \(port)", in: folder, columns: 200)
      let shown = try terminal.wait(for: "Tokens without a browser")
      #expect(shown.contains("idp-client, secret idp-secret"))
      #expect(shown.contains("1001, Ada Lovelace, ada@example.com (verified)"))
      #expect(shown.contains("providers.configure(\"oidc.idp\""))
      try terminal.press("C-c")
      try terminal.wait(for: "[left with 0]")
    }
  }

  @Test func `a port that is taken is one error with a remedy`() async throws {
    let outcome = try await blocking { [folder] in
      let provider = try RunningProvider(in: folder)
      let port = String(provider.issuer.split(separator: ":").last ?? "")
      return try Program.run(["idp", "--port", port], in: folder)
    }

    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("taken"))
    #expect(outcome.errors.contains("--port 0"))
  }

  @Test func `a bad script is refused with file, field and nearest name`() async throws {
    let file = try folder.write(
      "bad.json", #"{ "people": [{ "subject": "1", "emial": "ada@example.com" }] }"#)

    let readable = try Program.run(["idp", "--script", file], in: folder)
    let machine = try Program.run(["idp", "--json", "--script", file], in: folder)
    let missing = try Program.run(["idp", "--script", file + "x"], in: folder)

    #expect(readable.status == 1)
    #expect(readable.errors.contains("bad.json: people[0] has no field \"emial\""))
    #expect(readable.errors.contains("Did you mean \"email\"?"))
    let error = try JSONValue(text: machine.errors)["error"]
    #expect(error?["field"] == "people[0].emial")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("cannot be read"))
  }

  @Test(arguments: [
    (["--hostile", "algoritm-none"], "algorithm-none"), (["--person", "1009"], "1001"),
    (["--port", "70000"], "65535"), (["--hostile", "expired", "--hostile", "no-email"], "at once"),
  ])
  func `an invalid option is refused with valid ones`(
    _ options: [String], _ words: String
  ) throws {
    let outcome = try Program.run(["idp"] + options, in: folder)

    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `the ways to misbehave are listed, a sentence each`() throws {
    let text = try Program.run(["idp", "--list-hostile"], in: folder).output
    let json = try Program.run(["idp", "--list-hostile", "--json"], in: folder).output
    let help = try Program.run(["idp", "--help"], in: folder).output

    let words = text.split(separator: "\n").first { $0.hasPrefix("algorithm-none ") }
    #expect(words?.hasSuffix("Gives an ID token with algorithm none.") == true)
    #expect(try JSONValue(text: json).text.contains("redirects-to-another-host"))
    #expect(help.contains("proves") && help.contains("127.0.0.1"))
  }
}

extension Terminal {
  /// Begins an authorization in the console, and returns the URL for the browser.
  ///
  /// The mark separates this answer from earlier ones on the screen.
  func authorizationURL(of provider: String, mark: String) throws -> String {
    let options = "{ redirectURI = 'https://app.example/back' }"
    let line = try answer(to: "auth.authorize('\(provider)', \(options))", mark: mark)
    return String(try #require(line.firstMatch(of: /http:\S+/)).output)
  }

  /// Prints values in the console, and returns the line as it is shown.
  ///
  /// The mark ends the line and separates it from earlier ones on the screen.
  func answer(to values: String, after code: String = "", mark: String) throws -> Substring {
    let shown = try enter("\(code) print(\(values), '\(mark)')", until: " \(mark)\n")
    return try #require(shown.split(separator: "\n").last { $0.hasSuffix(" \(mark)") })
  }
}
