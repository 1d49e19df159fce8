import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import HTTPClientTransport
import LuaPlugins
import SQLiteStore
import Synchronization
import Testing
import TestSupport

/// Searches the traces of a whole run through the graph: errors as text and dumped, audit events, and the store's
/// files.
@Suite final class `Nothing secret is kept or told`: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "authgraph-leaks-\(UUID())")
  private let scope = Scope(project: "leaks")
  private let messages = CollectingMessageSender()
  private let told = Mutex("")
  private let hidden = Mutex<[String]>([])

  private var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }

  /// The names of pending operations: useless alone, so they are stored as they are, but never shown.
  private let handles = Mutex<[String]>([])

  /// Records secrets from now on.
  private func hide(_ secrets: String?...) {
    hidden.withLock { $0 += secrets.compactMap { $0 } }
  }

  /// Runs an operation that may fail, and records every text of the result.
  @discardableResult
  private func telling<Result>(_ body: () async throws -> Result) async -> Result? {
    var text = ""
    defer { told.withLock { $0 += "\n" + text } }
    do {
      let result = try await body()
      text = "\(result)\n\(String(reflecting: result))\n"
      dump(result, to: &text)
      return result
    } catch {
      text = "\(error)\n\(String(reflecting: error))\n"
      dump(error, to: &text)
      if let error = error as? AuthError { text += error.debugDescription }
      return nil
    }
  }

  @Test func `second factors, browser sign-ins, codes and tokens leave no trace of their secrets`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let vendor = try await FakeOIDC.start()
    let store = try SQLiteStore(path: folder.appending(path: "a.db").path)
    let keyFile = folder.appending(path: "a.key").path
    let transport = HTTPClientTransport()
    let builtIn = ProviderRegistry.builtIn(transport: transport)
    let plugins = try PluginSet.examples(
      on: PluginHost(
        transport: transport, log: { record in self.told.withLock { $0 += "\n\(record)" } }))
    let graph = AccountGraph(
      store: store, providers: builtIn.adding(plugins),
      policies: NoPolicies(),
      services: GraphServices(
        secrets: KeyFileSealing(path: keyFile), messages: messages, totp: HMACTOTP()))
    let oidc = ProviderID("oidc.staff")
    hide(FakeClient.web.secret)
    _ = try await graph.configure(
      oidc,
      values: [
        "issuer": .string(vendor.issuer), "clientID": .string(FakeClient.web.id),
        "privateHosts": [.string(vendor.server.host)],
      ], secrets: ["clientSecret": Secret(FakeClient.web.secret ?? "")], by: admin)

    let ada = try #require(await signInWithBrowser(graph, vendor, oidc))
    for vendor in [Vendor.acme, .script, .plain] { try await plugin(of: vendor, graph) }
    try await secondFactors(of: ada, graph, vendor, oidc)
    await passwordsAndLinks(graph)

    var text = told.withLock { $0 }
    for event in try await graph.events(limit: 1000, in: scope) {
      text += String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
    }
    let secrets = hidden.withLock { $0 }
    #expect(secrets.count > 12)
    for secret in secrets + handles.withLock({ $0 }) {
      #expect(!text.contains(secret), "told: \(secret)")
    }
    try store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name != "a.key" {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      for secret in secrets {
        #expect(!bytes.contains(Data(secret.utf8)), "\(name) holds \(secret)")
      }
    }
    try await transport.shutdown()
    await vendor.stop()
  }

  /// Signs in by every credential of a plug-in, and with a faulty script.
  private func plugin(of vendor: Vendor, _ graph: AccountGraph) async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.issuer = vendor.pluginHost.map { "https://\($0)" }
    configuration.algorithm = .es256
    let played = try await FakeOIDC.start(configuration)
    let host = try vendor.pluginHost.unwrapped("host of \(vendor)")
    _ = try await graph.configure(
      vendor.provider,
      values: [
        "clientID": .string(FakeClient.web.id), "privateHosts": [.string(played.server.host)],
        "servers": [host: .string(played.server.url)],
      ], secrets: ["clientSecret": Secret(FakeClient.web.secret ?? "")], by: admin)
    let account = try await signInWithBrowser(
      graph, played, vendor.provider, as: .named("\(vendor)"))
    #expect(account != nil)
    let token =
      vendor == .plain
      ? played.accessToken(for: .bo) : try played.idToken(for: .bo, nonce: "raw-nonce-8841")
    hide(token, "raw-nonce-8841")
    let fields =
      vendor == .plain ? ["accessToken": token] : ["idToken": token, "nonce": "raw-nonce-8841"]
    let credential = try graph.providers.credential(vendor.provider, fields)
    await telling { credential }
    for behavior in [nil, HostileTransport.serverError, .garbage] {
      played.server.behave()
      if let behavior { played.server.misbehave(behavior) }
      await telling { try await graph.signIn(credential, by: admin) }
    }
    await played.stop()
  }

  private func signInWithBrowser(
    _ graph: AccountGraph, _ vendor: FakeOIDC, _ oidc: ProviderID, as person: FakePerson = .ada
  ) async throws -> AccountID? {
    let redirectURI = "https://app.example/back"
    let begun = try await graph.beginAuthorization(
      oidc, redirectURI: redirectURI, session: "browser-7731", by: admin)
    let answer = try await vendor.authorize(begun.url, as: person)
    handles.withLock { $0.append(begun.state) }
    hide(answer.code, "browser-7731")
    for (session, parameters) in [
      ("browser-9", answer.parameters), ("browser-7731", answer.parameters),
    ] {
      await telling {
        try await graph.finishAuthorization(
          oidc, callback: parameters, redirectURI: redirectURI, session: session, by: admin)
      }
    }
    let again = try await graph.beginAuthorization(
      oidc, redirectURI: redirectURI, session: "browser-7731", by: admin)
    let callback = try await vendor.authorize(again.url, as: person)
    handles.withLock { $0.append(again.state) }
    hide(callback.code, URLText.query(of: again.url)?["nonce"])
    let authorized = try await graph.finishAuthorization(
      oidc, callback: callback.parameters, redirectURI: redirectURI, session: "browser-7731",
      by: admin)
    hide(authorized.credential["codeVerifier"])
    await telling { authorized.credential }
    let result = await telling { try await graph.signIn(authorized.credential, by: admin) }
    await telling { try await graph.signIn(authorized.credential, by: admin) }
    return result?.account.id
  }

  private func secondFactors(
    of ada: AccountID, _ graph: AccountGraph, _ vendor: FakeOIDC, _ oidc: ProviderID
  ) async throws {
    // A second factor requires a verified address, even if an admin enrols it.
    var verified = ProfileChanges()
    verified.emailVerified = true
    _ = try await graph.update(ada, verified, by: admin)
    let open = try await graph.beginTOTPEnrollment(for: ada, by: admin)
    hide(open.secret.reveal())
    await telling { open.secret }
    let totp = HMACTOTP()
    func code(_ seconds: Int64) -> Secret<String> {
      Secret(totp.code(for: open.secret, at: Timestamp.now().adding(seconds: seconds)) ?? "")
    }
    await telling {
      try await graph.finishEnrollment(open.enrollment, code: Secret("12345x"), by: admin)
    }
    await telling {
      try await graph.finishEnrollment(open.enrollment, code: code(0), by: admin)
    }
    let phone = try await graph.beginPhoneEnrollment(
      of: PhoneNumber("+15555550123"), for: ada, by: admin)
    let sent = try #require(messages.last())
    await telling { sent.proof }
    await telling { try await graph.finishEnrollment(phone, code: sent.proof, by: admin) }
    let token = try vendor.idToken(for: .ada)
    hide(token)
    let credential = try graph.providers.credential(oidc, ["idToken": token])
    var resolver: SecondFactorResolver?
    await telling {
      do {
        return try await graph.signIn(credential, by: admin)
      } catch let error as AuthError {
        resolver = error.resolver
        throw error
      }
    }
    let pending = try #require(resolver)
    handles.withLock { $0.append(pending.session) }
    let factors = pending.hints
    await telling { try await graph.challenge(factors[1].id, of: pending, by: admin) }
    await telling {
      try await graph.resolve(
        pending, with: .totp(factorID: factors[0].id, code: Secret("98765x")), by: admin)
    }
    await telling {
      try await graph.resolve(
        pending, with: .totp(factorID: factors[0].id, code: code(30)), by: admin)
    }
    await telling { try await graph.signIn(credential, by: admin) }
  }

  private func passwordsAndLinks(_ graph: AccountGraph) async {
    hide("a-good-password-5512", "a-wrong-password-5513")
    await telling {
      try await graph.signUp(
        graph.providers.credential(
          .password, ["email": "b@example.com", "password": "a-good-password-5512"]), by: admin)
    }
    await telling {
      try await graph.signIn(
        graph.providers.credential(
          .password, ["email": "b@example.com", "password": "a-wrong-password-5513"]), by: admin)
    }
    await telling {
      try await graph.configure(
        .emailLink, values: ["linkBase": "https://app.example/link"], by: admin)
    }
    let request = ChallengeRequest(recipient: "c@example.com")
    await telling {
      try await graph.sendChallenge(.emailLink, request, by: admin).expiresAt
    }
    let link = messages.last()?.proof.reveal() ?? ""
    hide(link, URLText.query(of: link)?["oobCode"])
    for _ in 0..<2 {
      await telling {
        try await graph.signIn(
          graph.providers.credential(.emailLink, ["email": "c@example.com", "link": link]),
          by: admin)
      }
    }
    await telling {
      hide("not.a-token.9913")
      return try await graph.signIn(
        graph.providers.credential(.custom, ["token": "not.a-token.9913"]), by: admin)
    }
  }
}
