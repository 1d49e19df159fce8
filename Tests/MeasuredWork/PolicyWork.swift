public import AuthCore

/// A merge policy and a conflict that it decides by a merge.
public enum PolicyWork {
  /// Keeps the older one of two accounts.
  public static let source = PolicySource(
    name: "bench.lua",
    text: """
      return policy {
        name = "bench",
        on = { "credential-already-in-use", "email-already-in-use" },
        decide = function(conflict)
          if not conflict.proof.both then return refuse "needs proof of both accounts" end
          local keep, absorb = oldest(conflict.current, conflict.existing)
          return merge {
            into = keep, from = absorb,
            fields = { displayName = "keep", photoURL = "newest", customClaims = "union" },
          }
        end,
      }
      """)

  public static func conflict() throws -> MergeConflict {
    MergeConflict(
      code: .credentialAlreadyInUse, current: try Person(1).account,
      existing: try Person(2).account, provider: Workload.linked,
      proof: MergeProof(current: true, existing: true))
  }

  /// Throws `internal-error` if the policy answers anything but a merge.
  public static func decide(_ policy: any MergePolicy, _ conflict: MergeConflict) throws {
    guard case .merge = try policy.decide(conflict) else {
      throw AuthError(.internalError, "The policy did not merge.")
    }
  }
}
