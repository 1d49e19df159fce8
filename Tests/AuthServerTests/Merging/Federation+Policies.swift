import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import LuaPlugins
import Testing

@testable import IdentityToolkitService

extension Federation {
  static let facebook = ProviderID("facebook.com")

  /// Puts a policy of this repository to use, with the files that it includes.
  func use(_ name: String) async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Scripts/policies")
    func text(_ name: String) throws(AuthError) -> String {
      do {
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      } catch {
        throw AuthError(.invalidPolicy, "There is no file \(name).")
      }
    }
    let source = try PolicySource(name: name, text: text(name)).bundled(reading: text)
    try await settings { $0.mergePolicy = source }
  }

  /// Makes Bo's account by Google, and a second later Ada's with a password.
  func boAndAda() async throws -> (bo: AccountID, ada: AccountID) {
    let bo = AccountID(try await signIn(.google, .bo).text("localId"))
    server.clock.advance(seconds: 1)
    return (bo, try await account(email: "ada@example.com", verified: true))
  }

  /// Links Bo's credential to a new session of Ada's.
  func linkBo(
    to email: String = "ada@example.com", claims: [String: JSONValue] = [:]
  ) async throws -> Reply {
    server.clock.advance(seconds: 1)
    return try await signIn(.google, .bo, claims: claims, idToken: session(email: email))
  }

  /// Sets the claims of an account.
  func claim(_ id: AccountID, _ claims: [String: JSONValue]) async throws {
    var changes = ProfileChanges()
    changes.customClaims = .set(try CustomClaims(claims))
    _ = try await graph.update(id, changes, by: server.admin)
  }

  /// The newest event that a policy's refusal left.
  func refusal() async throws -> JSONValue? {
    try await graph.events(limit: 20, in: server.scope).compactMap { $0.details["refusal"] }.first
  }

  /// The reasons of the merges that wait for an admin.
  func offers() async throws -> [String?] {
    try await graph.mergeOffers(limit: 10, in: server.scope).offers.map(\.reason)
  }
}

/// Expects that a link found the usual conflict, and that nothing was merged.
func expectConflict(
  _ reply: Reply, _ home: Federation, accounts: Int = 2,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  #expect(
    reply.message == "FEDERATED_USER_ID_ALREADY_LINKED", "\(reply.text)",
    sourceLocation: sourceLocation)
  let count = try await home.accountCount()
  #expect(count == accounts, sourceLocation: sourceLocation)
}
