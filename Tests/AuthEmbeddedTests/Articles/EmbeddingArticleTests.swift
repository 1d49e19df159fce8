import AuthClient
import AuthCore
import AuthEmbedded
import AuthTesting
import FakeVendors
import Foundation
import Testing

@Suite struct `The article "Embed it"` {
  @Test func `opens a store, signs up and in, and links`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let vendors = try await Vendors(FixedClock(Timestamp.now()))
    do {
      try await embed(at: folder.appending(path: "accounts.db").path, vendors)
    } catch {
      await vendors.stop()
      throw error
    }
    await vendors.stop()
  }

  private func embed(at path: String, _ vendors: Vendors) async throws {
    let backend = try EmbeddingSnippets.open(path)
    let storage = MemorySessionStorage()
    let auth = EmbeddingSnippets.auth(backend, storage: storage)
    let user = try await EmbeddingSnippets.signUpAndIn(
      auth, email: "ada@example.com", password: "correct horse")
    #expect(auth.currentUser === user)
    #expect(try storage.load() != nil)

    try await EmbeddingSnippets.setUpGoogle(backend, clientID: FakeClient.web.id)
    let admin = Caller(
      scope: Scope(project: AuthHome.project), authority: .admin("ada"), reason: "test")
    try await vendors.register(in: backend.graph, by: admin)
    let person = FakePerson(subject: "1815", email: "ada@work.example", emailVerified: true)
    try await EmbeddingSnippets.linkGoogle(
      user, idToken: try vendors.google.idToken(for: person),
      accessToken: vendors.google.accessToken(for: person))
    #expect(user.providerIDs == ["google.com", "password"])

    let events = try await EmbeddingSnippets.history(user, backend)
    #expect(events.map(\.action).contains(.link))
  }
}
