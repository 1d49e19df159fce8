/// Asks several hooks in turn; a later answer overrides an earlier one.
public struct JoinedHooks: SignInHooks {
  private let hooks: [any SignInHooks]

  /// Joins hooks, in the order in which they are asked.
  public init(_ hooks: [any SignInHooks]) {
    self.hooks = hooks
  }

  /// True if one of the hooks is interested.
  public func isInterested(in functions: BlockingFunctions) -> Bool {
    hooks.contains { $0.isInterested(in: functions) }
  }

  /// Merges the answers of the interested hooks; the first refusal is thrown.
  public func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    var joined: SignInHookAnswer?
    for hook in hooks where hook.isInterested(in: event.functions) {
      guard let answer = try await hook.answer(event) else { continue }
      joined = joined.map { $0.overlaid(by: answer) } ?? answer
    }
    return joined
  }
}

extension SignInHookAnswer {
  fileprivate func overlaid(by later: SignInHookAnswer) -> SignInHookAnswer {
    var answer = self
    if later.displayName != .leave { answer.displayName = later.displayName }
    if later.photoURL != .leave { answer.photoURL = later.photoURL }
    if later.customClaims != .leave { answer.customClaims = later.customClaims }
    answer.emailVerified = later.emailVerified ?? emailVerified
    answer.disabled = later.disabled ?? disabled
    if later.sessionClaims != .null { answer.sessionClaims = later.sessionClaims }
    return answer
  }
}
