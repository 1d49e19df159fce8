import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

extension Federation {
  /// Sends a vendor's message to the address of its provider.
  func send(
    _ message: VendorMessage, to provider: ProviderID, at place: String = "/v1",
    topic: String? = nil
  ) async throws -> Reply {
    let end = topic.map { "/events/\($0)" } ?? ":events"
    return try await server.send(
      "POST", "\(place)/providers/\(provider)\(end)", Array(message.body.utf8),
      headers: ["Content-Type": message.contentType])
  }

  /// Signs a person in, and gives the account a password beside the provider.
  func guest(_ provider: ProviderID, _ person: FakePerson = .ada) async throws -> SignedUp {
    let first = try SignedUp(try await signIn(provider, person))
    var changes = ProfileChanges()
    changes.password = Secret("opensesame")
    _ = try await graph.update(AccountID(first.uid), changes, by: server.admin)
    server.clock.advance(seconds: 10)
    let again = try await signIn(provider, person)
    return try SignedUp(again)
  }

  /// Signs in with the password of a guest.
  func byPassword() async throws -> Reply {
    try await server.post(
      "/v1/accounts:signInWithPassword",
      ["email": "ada@example.com", "password": "opensesame", "returnSecureToken": true])
  }

  /// Renews a session; the answer tells whether it is over.
  func renew(_ session: SignedUp) async throws -> Reply {
    try await server.post(
      "/v1/token",
      ["grant_type": "refresh_token", "refresh_token": .string(session.refreshToken)])
  }

  /// Returns the events that vendors reported, oldest first.
  func reported() async throws -> [AuditEvent] {
    try await graph.events(limit: 200, in: server.scope)
      .filter { $0.action == .providerEvent }.sorted { $0.sequence < $1.sequence }
  }

  /// Returns the mark of an account's identity of a provider.
  func mark(_ uid: String, _ provider: ProviderID) async throws -> VendorMark? {
    let account = try await stored(AccountID(uid))
    return account.identities(of: provider).first.flatMap { account.mark(of: $0) }
  }
}
