import AuthClient
import AuthCore
import AuthEmbedded
import FakeVendors
import Foundation
import IdentityToolkitService
import NIOConcurrencyHelpers
import SMTPMessages
import SQLiteStore
import Testing

@Suite struct `The articles "Set up the project" and "Send messages"` {
  private let backend: EmbeddedBackend
  private let admin = ProjectSnippets.admin()

  init() throws {
    backend = EmbeddedBackend(
      store: try SQLiteStore.inMemory(), secrets: .ephemeral,
      options: ServiceOptions(project: AuthHome.project))
  }

  @Test func `set up Google, which authgraph idp plays, and trust a domain`() async throws {
    let article = try #require(
      ArticleText.files().first { $0.lastPathComponent == "SetUpTheProject.md" })
    let text = try String(contentsOf: article, encoding: .utf8)
    let script = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
      .components(separatedBy: "\n```")[0]
    let google = try await ScriptedIdentityProvider.start(IdentityScript(text: script))
    do {
      try await setUp(google)
    } catch {
      await google.stop()
      throw error
    }
    await google.stop()
  }

  private func setUp(_ google: ScriptedIdentityProvider) async throws {
    try await ProjectSnippets.configureGoogle(backend, clientID: "my-app", by: admin)
    try await ProjectSnippets.configurePlayedGoogle(backend, host: google.server.host, by: admin)
    #expect(try await signIn("ada", google).isEmailVerified == false)
    try await ProjectSnippets.trust(backend, by: admin)
    #expect(try await signIn("bo", google).isEmailVerified)
    let settings = try await ProjectSnippets.read(backend)
    #expect(settings.trust[.google] == .domains(["gmail.com", "googlemail.com", "shop.example"]))
    #expect(settings.providers["google.com"]?.values["clientIDs"] == ["my-app"])
  }

  private func signIn(_ name: String, _ google: ScriptedIdentityProvider) async throws -> User {
    let person = FakePerson(subject: name, email: "\(name)@shop.example", emailVerified: true)
    let credential = GoogleAuthProvider.credential(
      withIDToken: try google.idToken(for: person, audience: "my-app"),
      accessToken: google.accessToken(for: person, clientID: "my-app"))
    return try await Auth(backend: backend).signIn(with: credential).user
  }

  @Test func `change settings`() async throws {
    let auth = Auth(backend: backend)
    try await expectError(.invalidCredential) {
      try await auth.signIn(withEmail: "nobody@example.com", password: "too short")
    }
    try await ProjectSnippets.change(backend, by: admin)
    try await expectError(.userNotFound) {
      try await auth.signIn(withEmail: "nobody@example.com", password: "too short")
    }
    await #expect(throws: (any Error).self) {
      try await auth.createUser(withEmail: "ada@example.com", password: "too short")
    }
    try await auth.createUser(withEmail: "ada@example.com", password: "long enough for it")
  }

  @Test func `send links and codes through the app's own sender`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sent = NIOLockedValueBox<[String: String]>([:])
    let backend = try MessageSnippets.open(folder.appending(path: "accounts.db").path) {
      recipient, text in sent.withLockedValue { $0[recipient] = text }
    }
    let auth = Auth(backend: backend)
    let user = try await auth.createUser(withEmail: "ada@example.com", password: "correct horse")
      .user
    try await user.sendEmailVerification()
    let id = try await PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber(AuthHome.number)
    #expect(!id.isEmpty)
    await MessageSnippets.finish(backend)

    let messages = sent.withLockedValue(\.self)
    #expect(messages[AuthHome.number]?.wholeMatch(of: /Your code is \d{6}\./) != nil)
    let text = try #require(messages["ada@example.com"])
    #expect(text.hasPrefix("Open https://app.example/__/auth/action?mode=verifyEmail"))
    let link = try #require(URL(string: String(text.dropFirst("Open ".count))))
    #expect(try await handle(link, auth: auth) { "" })
    #expect(user.isEmailVerified)
  }

  @Test func `send mail by SMTP, and nothing to phones`() throws {
    let sender = try MessageSnippets.smtp(password: "secret")
    for kind in OutgoingMessage.Kind.allCases where kind.carriesLink { try sender.check(kind) }
    let error = #expect(throws: AuthError.self) { try sender.check(.phoneSignIn) }
    #expect(error?.code == .operationNotAllowed)
  }

  @Test func `refuse a verification if nobody sends messages`() async throws {
    let user = try await Auth(backend: backend)
      .createUser(withEmail: "ada@example.com", password: "correct horse").user
    try await expectError(.operationNotAllowed) { try await user.sendEmailVerification() }
  }
}
