import AuthCore
import FakeVendors
import Foundation
import Testing
import TestSupport

/// Searches all output and files of a whole run of the binary for the secrets that it handled.
@Suite struct `Nothing secret is written` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private let secrets = [
    "webhook": "webhook-secret-5510", "client": "client-secret-8842", "app": "app-secret-7713",
    "password": "right-password-3391", "wrong": "wrong-password-6627", "new": "new-password-1183",
  ]

  @Test func `no secret, token, password or code in output, errors, audit or any file`()
    async throws
  {
    let google = try await FakeGoogle.start()
    let hook = try await VendorServer.start { _ in .json(["ok": true]) }
    var hidden = Array(secrets.values)
    let tokens = [
      try google.idToken(for: .ada), try google.idToken(for: .bo, hostile: .corruptedSignature),
      try google.idToken(for: .bo, hostile: .wrongAudience),
      google.accessToken(for: .bo), google.accessToken(for: .bo, clientID: FakeClient.foreign.id),
      "not-a-token-4471",
    ]
    hidden += tokens
    var written = try await run(
      google.configuration + Self.first, tokens + secrets.sorted { $0.key < $1.key }.map(\.value),
      hook)
    let phone = try #require(hook.requests(to: "/hook").first?.json)
    let mail = try #require(hook.requests(to: "/hook").last?.json)
    let code = try #require(phone["code"]?.stringValue)
    let link = try #require(mail["link"]?.stringValue)
    let linkCode = try #require(URLText.query(of: link)?["oobCode"])
    hidden += [link, linkCode]
    written += try await run(Self.second, [code, link, "123456"], hook)
    #expect(written.contains("signed in by phone"), "\(written)")
    #expect(written.contains("signed in by link"), "\(written)")
    // The digits alone may occur in a time or an ID; no printed text shows them.
    #expect(!written.contains(code), "a code was printed")
    let key = try folder.read("accounts.db.key").split(separator: "\n").last.map(String.init)
    hidden.append(try #require(key))
    for (name, bytes) in try files() where !name.hasSuffix(".lua") {
      written += "\n--- \(name)\n"
      for secret in hidden where !(name.hasSuffix(".key") && secret == key) {
        #expect(!bytes.contains(Data(secret.utf8)), "\(name) holds \(secret)")
      }
    }
    for secret in hidden {
      #expect(!written.contains(secret), "the output holds \(secret)")
    }
    await google.stop()
    await hook.stop()
  }

  /// Runs a script with arguments, and returns all of its output.
  private func run(
    _ code: String, _ arguments: [String], _ hook: VendorServer
  ) async throws -> String {
    let script = try folder.write("\(UUID()).lua", code)
    let (webhook, url) = (secrets["webhook"] ?? "", hook.url("/hook"))
    return try await blocking { [folder] in
      let outcome = try Program.run(
        ["run", "--messages", url, script] + arguments, in: folder,
        environment: ["AUTHGRAPH_MESSAGES_SECRET": webhook])
      guard outcome.status == 0 else { throw Failed(description: outcome.errors + outcome.output) }
      return outcome.output + outcome.errors
    }
  }

  private func files() throws -> [(name: String, bytes: Data)] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).compactMap { name in
      var isFolder: ObjCBool = false
      let path = "\(folder.path)/\(name)"
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { return nil }
      return (name, try Data(contentsOf: URL(filePath: path)))
    }
  }

  private static let first = """
    local idToken, corrupted, foreignToken, access, foreignAccess, none = table.unpack(arg, 1, 6)
    local app, client, new, password, webhook, wrong = table.unpack(arg, 7, 12)
    local function attempt(body, ...)
      local ok, result = pcall(body, ...)
      print(ok, result)
      if not ok then print(result.code, result.message, result.remedy, why(result)) end
      return result
    end
    local g = providers["google.com"]
    print(providers.configure("google.com", { clientSecret = client }))
    print(providers.configure("facebook.com", { appID = "1", appSecret = app }))
    print(providers.configure("emailLink", { linkBase = "https://app.example/link" }))
    print(g.configuration.clientSecret, settings.get())
    local ada = accounts.create { email = "a@example.com", password = password }
    attempt(auth.signIn, providers.password.credential { email = "a@example.com", password = wrong })
    attempt(auth.signIn, providers.password.credential { email = "a@example.com", password = password })
    attempt(ada.update, ada, { password = new })
    for _, token in ipairs { idToken, idToken, corrupted, foreignToken, none } do
      attempt(function() return auth.signIn(g.credential { idToken = token }) end)
      attempt(function() return ada:link(g.credential { idToken = token, nonce = none }) end)
    end
    for _, token in ipairs { access, foreignAccess, none } do
      attempt(function() return auth.signIn(g.credential { accessToken = token }) end)
    end
    attempt(auth.signIn, providers.custom.credential { token = none })
    print(g.credential { idToken = idToken })
    local sent = auth.sendCode("phone", "+15555550123")
    auth.sendCode("emailLink", "link@example.com")
    policy.remove()
    accounts.create { uid = "note", displayName = sent.verificationID }
    for _, event in ipairs(audit.tail(200)) do print(event, event.details, why(event.id)) end
    for account in accounts.each() do print(account, account.providerData) end
    """

  private static let second = """
    local code, link, wrong = table.unpack(arg, 1, 3)
    local id = accounts.get("note").displayName
    local function phone(given)
      return auth.signIn(providers.phone.credential { verificationID = id, verificationCode = given })
    end
    print(pcall(phone, wrong == code and "654321" or wrong))
    local result = phone(code)
    print("signed in by phone", result.account, result.trace)
    print(pcall(phone, code))
    local mail = providers.emailLink.credential { email = "link@example.com", link = link }
    print("signed in by link", auth.signIn(mail).trace)
    print(pcall(auth.signIn, mail))
    for _, event in ipairs(audit.tail(200)) do print(event, why(event.id)) end
    """
}
