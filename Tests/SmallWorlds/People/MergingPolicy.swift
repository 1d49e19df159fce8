import AuthCore

/// A merge policy that agrees to every merge.
struct MergingPolicy: MergePolicyCompiler, MergePolicy {
  static let source = PolicySource(name: "yes", text: "")

  let name = "yes"
  let triggers: Set<AuthError.Code> = [.credentialAlreadyInUse, .emailAlreadyInUse]

  func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy { self }

  func known(_ source: PolicySource) -> (any MergePolicy)? { self }

  func digest(of source: PolicySource) -> String { source.name }

  func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
  }

  func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? { try decide(conflict) }
}
