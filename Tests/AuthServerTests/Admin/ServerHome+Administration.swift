import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  var adminRoot: String { "/admin/v1/projects/\(Self.project)" }

  /// Makes two accounts that can be merged.
  func pair() async throws -> (keep: String, absorb: String) {
    try await seed("old", email: "ada@example.com", name: "Ada")
    clock.advance(seconds: 60)
    try await seed("new", phone: "+15555550100", name: "Ada L.")
    return ("old", "new")
  }

  /// Merges them; returns the receipt's ID.
  func merged() async throws -> String {
    let (keep, absorb) = try await pair()
    let reply = try await admin(
      "POST", "\(adminRoot)/merges",
      ["keep": .string(keep), "absorb": .string(absorb), "reason": "ticket 12"])
    #expect(reply.status == 200, "\(reply.text)")
    return try reply.text("id")
  }
}
