import AuthCore
import Foundation
import Testing
import TestSupport

/// `authgraph idp --plugin`: the vendor of a plug-in under its own addresses.
@Suite struct `The identity provider as the vendor of a plug-in` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a plug-in's own paths and another way of asking for tokens are played`() async throws
  {
    try await blocking { [folder] in
      _ = try Program.run(["plugin", "new", "my.example", "--folder", folder.path], in: folder)
      let provider = try RunningProvider(["--plugin", "\(folder.path)/my.example.lua"], in: folder)
      let address = provider.overview["address"]?.stringValue ?? ""

      let back = try RunningProvider.curl([
        "-o", "/dev/null", "-w", "%{redirect_url}",
        "\(address)/oauth/authorize?client_key=idp-client&state=s1&person=1001"
          + "&redirect_uri=https%3A%2F%2Fapp.example%2Fback",
      ])
      let code = URLText.query(of: back)?["code"] ?? ""
      let tokens = try JSONValue(
        text: try RunningProvider.curl([
          "-H", "Content-Type: application/json", "-d",
          "{\"client_key\":\"idp-client\",\"client_secret\":\"idp-secret\",\"auth_code\":\"\(code)\"}",
          "\(address)/oauth/token",
        ]))
      let token = tokens["access_token"]?.stringValue ?? ""
      let me = try JSONValue(
        text: try RunningProvider.curl(
          ["-H", "Authorization: Bearer \(token)", "\(address)/api/me"]))
      let app = try JSONValue(
        text: try RunningProvider.curl(["-d", "token=\(token)", "\(address)/oauth/introspect"]))
      let stranger = try RunningProvider.curl([
        "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer made-up",
        "\(address)/api/me",
      ])

      #expect(back.hasPrefix("https://app.example/back?") && back.contains("state=s1"), "\(back)")
      #expect(me["id"] == "1001" && me["email"] == "ada@example.com", "\(me.text)")
      #expect(me["email_verified"] == true && me["name"] == "Ada Lovelace")
      #expect(app["client_id"] == "idp-client" && app["user_id"] == "1001", "\(app.text)")
      #expect(stranger == "401")
      let line = provider.configuration
      #expect(line.contains("providers.configure(\"my.example\""), "\(line)")
      #expect(line.contains("[\"vendor.example\"] = \"\(address)\""), "\(line)")
    }
  }

  @Test func `a plug-in signs in by way of a browser at its played vendor`() async throws {
    try await blocking { [folder] in
      _ = try Program.run(["plugin", "new", "my.example", "--folder", folder.path], in: folder)
      let provider = try RunningProvider(["--plugin", "\(folder.path)/my.example.lua"], in: folder)
      let terminal = try Terminal(
        "'\(Program.path)' console --plugins '\(folder.path)' --store 'sqlite:\(folder.path)/played.db' --create",
        in: folder, columns: 600)
      try terminal.wait(for: "authgraph>")
      try terminal.enter(
        provider.configuration.trimmingCharacters(in: .newlines), until: "configure-provider")
      let url = try terminal.authorizationURL(of: "my.example", mark: "first")
      let back = try provider.browse(url)
      try terminal.enter(
        "auth.signIn(auth.callback('my.example', '\(back)')).account.displayName",
        until: "\nAda Lovelace")
    }
  }
}
