import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// Merges two accounts that the same person is signed in to: `user` is absorbed into `survivor`.
  ///
  /// It resolves a conflict: keep the current user, sign in with the credential that could not be linked, and merge
  /// the two.
  ///
  /// ```swift
  /// let prevUser = Auth.auth().currentUser!
  /// let result = try await Auth.auth().signIn(with: credential)
  /// let merged = try await Auth.auth().merge(prevUser, into: result.user)
  /// ```
  ///
  /// The result's user is the survivor. It becomes the current user if either account was. The server checks both
  /// sessions, so a stranger's account cannot be merged, and an admin can undo the merge.
  /// ``planMerge(of:into:policy:)`` shows the outcome in advance.
  ///
  /// Throws `requiresRecentLogin` (17014) if one of the sign-ins is not recent, except an anonymous one. Have that
  /// user ``User/reauthenticate(with:)`` and merge again: a stolen session must not add a stranger's identities.
  /// Throws `operationNotAllowed` (17006) with the reason if the project's policy refuses, and `userTokenExpired`,
  /// `userDisabled` or `userNotFound` of either account.
  @discardableResult
  public func merge(
    _ user: User, into survivor: User, policy: AccountMergePolicy = .project
  ) async throws -> AuthDataResult {
    try await commit(AccountMergePlan.Merge(user: user, survivor: survivor, policy: policy))
  }

  /// Returns the plan of ``merge(_:into:policy:)``.
  ///
  /// Nothing is written before ``AccountMergePlan/commit()``.
  public func planMerge(
    of user: User, into survivor: User, policy: AccountMergePolicy = .project
  ) async throws -> AccountMergePlan {
    let merge = AccountMergePlan.Merge(user: user, survivor: survivor, policy: policy)
    return try await send(.planMerge, merge) { fields in
      guard let plan = AccountMergePlan(fields, merge) else {
        throw NSError.answer(without: "survivor")
      }
      return plan
    }
  }

  func commit(_ merge: AccountMergePlan.Merge) async throws -> AuthDataResult {
    try await send(.merge, merge) { try await self.take($0, of: merge) }
  }

  /// Applies the answer to a merge.
  private func take(
    _ fields: WireFields, of merge: AccountMergePlan.Merge
  ) async throws -> AuthDataResult {
    let answer = try SignInAnswer(fields, now: now())
    // The survivor's own object is updated, so that its holders see the result.
    let left = [merge.survivor, merge.user].first { $0.auth === self && $0.uid == answer.uid }
    // The old tokens may be invalid after the merge, so the new ones are stored before anything else can fail.
    try left?.keep(answer.tokens)
    let isAnonymous = merge.survivor.isAnonymous && merge.user.isAnonymous
    let record = try await toolkit.lookup(answer.tokens.idToken)
    let user = left ?? user(record, answer, isAnonymous: isAnonymous)
    try user.update { user in
      record.update(&user)
      user.isAnonymous = isAnonymous && user.providers.isEmpty
    }
    try become(user, inPlaceOf: [merge.survivor.uid, merge.user.uid])
    return AuthDataResult(user: user, answer)
  }

  /// Sends a merge; the two tokens prove both accounts.
  private func send<Value: Sendable>(
    _ operation: Operation, _ merge: AccountMergePlan.Merge,
    taking take: @escaping @Sendable (WireFields) async throws -> Value
  ) async throws -> Value {
    try await User.changingTokens(of: merge.survivor, and: merge.user) { survivor, absorbed in
      var members: [String: JSONValue] = [
        "idToken": .string(survivor), "absorbIdToken": .string(absorbed),
        "policy": .string(merge.policy.name),
      ]
      members["revisions"] = merge.revisions
      return try await self.toolkit.call(operation, members)
    } taking: {
      try await take($0)
    }
  }
}
