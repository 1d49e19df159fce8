import AuthClient
import Foundation
import Testing

@Suite("Merge policies on every backend") struct MergePolicyTests {
  private static let keepsOldest = """
    return policy {
      name = "keep-oldest", on = { "credential-already-in-use", "email-already-in-use" },
      decide = function(conflict)
        if not conflict.proof.both then return refuse "needs proof of both accounts" end
        local keep, absorb = oldest(conflict.current, conflict.existing)
        return merge { into = keep, from = absorb, fields = { displayName = "newest" } }
      end,
    }
    """

  static func joins(into survivor: String) -> String {
    let other = survivor == "current" ? "existing" : "current"
    return """
      return policy {
        name = "join", on = { "credential-already-in-use" },
        decide = function(c) return merge { into = c.\(survivor), from = c.\(other) } end,
      }
      """
  }

  @Test(arguments: Backend.allCases)
  func `the project's policy decides which account stays`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy("keep-oldest", Self.keepsOldest)
      let old = try await home.verifiedAda()
      home.pass(seconds: 60)
      let new = try await home.auth.signIn(with: try home.google("ada@gmail.example")).user
      let gone = new.uid
      // The app names the newer account to stay.
      let plan = try await home.auth.planMerge(of: old, into: new)
      #expect(plan.survivorID == old.uid && plan.absorbedID == gone)
      #expect(plan.decidedBy.contains("keep-oldest"))
      #expect(plan.policyVersion?.digest.count == 64 && plan.policyVersion?.role == "decides")
      let result = try await home.auth.merge(old, into: new)

      #expect(result.user === old && home.auth.currentUser === old)
      #expect(result.mergedFrom == [gone])
      #expect(old.providerIDs == ["google.com", "password"])
      try await old.reload()
    }
  }

  @Test(arguments: Backend.allCases)
  func `a refusal by the project's policy cannot be bypassed`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy(
        "never",
        """
        return policy {
          name = "never", on = { "credential-already-in-use" },
          decide = function(conflict)
            return refuse("these are two people", { code = "two-people" })
          end,
        }
        """)
      let ada = try await home.ada()
      let other = try await home.auth.signIn(with: try home.google("ada@gmail.example")).user
      let refused = try await expectError(.operationNotAllowed) {
        try await home.auth.merge(other, into: ada)
      }
      #expect(refused.localizedFailureReason?.contains("these are two people") == true)
      #expect(refused.mergeRefusalCode == "two-people")
      try await expectError(.operationNotAllowed) {
        try await home.auth.planMerge(of: other, into: ada)
      }
      try await expectError(.operationNotAllowed) {
        try await home.auth.merge(other, into: ada, policy: .survivor)
      }

      #expect(home.auth.currentUser === other)
      #expect(try await home.accountCount() == 2)
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.allCases)
  func `without a policy the survivor's fields win`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      let other = try await home.auth.signIn(with: try home.google("ada@gmail.example")).user
      let result = try await home.auth.merge(other, into: ada, policy: .survivor)

      #expect(result.user === ada && ada.email == "ada@example.com")
    }
  }

  @Test(arguments: Backend.allCases)
  func `a requirement of the policy is met by a sign-in, and the link repeated`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy(
        "recent",
        """
        return policy {
          name = "recent", on = { "credential-already-in-use" },
          decide = function(c)
            return require("recent login", { seconds = 60 })
              or merge { into = c.current, from = c.existing }
          end,
        }
        """)
      _ = try await home.another().signIn(with: try home.google("bo@gmail.example")).user
      let ada = try await home.verifiedAda()
      home.pass(seconds: 61)
      try await expectError(.requiresRecentLogin) {
        try await ada.link(with: try home.google("bo@gmail.example"))
      }
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a link that the policy answers with a merge keeps the user`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy("join", Self.joins(into: "current"))
      let bo = try await home.another().signIn(with: try home.google("bo@gmail.example")).user
      let ada = try await home.verifiedAda()
      let result = try await ada.link(with: try home.google("bo@gmail.example"))

      #expect(result.user === ada && home.auth.currentUser === ada)
      #expect(result.mergedFrom == [bo.uid])
      #expect(ada.providerIDs == ["google.com", "password"])
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a link may end in the other account, which is then the current one`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.usePolicy("join", Self.joins(into: "existing"))
      let bo = try await home.another().signIn(with: try home.google("bo@gmail.example")).user
      let guest = try await home.auth.signInAnonymously().user
      let gone = guest.uid
      let (states, _) = home.auth.hearingStates()
      home.pass(seconds: 2)
      let result = try await guest.link(with: try home.google("bo@gmail.example"))

      #expect(result.user.uid == bo.uid && home.auth.currentUser === result.user)
      #expect(result.mergedFrom == [gone])
      #expect(result.user.providerIDs == ["google.com"] && !result.user.isAnonymous)
      #expect(await states.uids == [gone, bo.uid])
      try await result.user.reload()
      // The old object belongs to an account that no longer exists.
      #expect(guest !== result.user && guest.uid == gone)
      await #expect(throws: (any Error).self) { try await guest.reload() }
      #expect(home.auth.currentUser === result.user)
    }
  }
}
